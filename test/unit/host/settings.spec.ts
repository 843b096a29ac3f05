import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSettings, settingsTable, type SettingKey } from "../../../extension/host/settings";

interface Contributed {
  default: unknown;
  scope: string;
}

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8")) as {
  contributes: { configuration: { properties: Record<string, Contributed> } };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
};
const contributed = manifest.contributes.configuration.properties;

function read(values: Partial<Record<SettingKey, unknown>>) {
  const invalid: string[] = [];
  const settings = readSettings(
    (key) => values[key],
    (key) => invalid.push(key),
  );
  return { settings, invalid };
}

describe("the settings", () => {
  it("are the contributed ones, with the same defaults", () => {
    const table = Object.entries(settingsTable).map(([key, setting]) => [key, setting.default]);
    const manifested = Object.entries(contributed).map(([key, setting]) => [key, setting.default]);
    expect(Object.fromEntries(table)).toEqual(Object.fromEntries(manifested));
  });

  it("each have a scope, and a folder cannot say where requests go", () => {
    for (const [key, { scope }] of Object.entries(contributed)) {
      expect(["machine", "machine-overridable", "resource", "window"], key).toContain(scope);
    }
    expect(contributed["donegate.model.baseUrl"]?.scope).toBe("machine");
    const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
    const machine = Object.keys(contributed).filter((key) => contributed[key]?.scope.startsWith("machine"));
    expect([...restricted].sort()).toEqual([...machine].sort());
  });

  it("have their defaults where nothing is set", () => {
    expect(read({}).settings).toEqual({
      ...{ modelName: null, modelBaseUrl: null, contextWindow: null, maxAttempts: 3, edits: "allow", budget: {} },
      guardrails: [],
    });
  });

  it("are read and frozen", () => {
    const { settings, invalid } = read({
      "donegate.model.name": " m ",
      "donegate.edits": "ask",
      "donegate.model.contextWindow": 32_768,
      "donegate.verify.maxAttempts": 5,
      "donegate.budget.maxTurns": 7,
    });
    expect(settings).toMatchObject({
      modelName: "m",
      contextWindow: 32_768,
      edits: "ask",
      maxAttempts: 5,
      budget: { maxTurns: 7 },
    });
    expect(Object.isFrozen(settings)).toBe(true);
    expect(invalid).toEqual([]);
  });

  it.each([
    ["donegate.model.contextWindow", -1],
    ["donegate.model.contextWindow", 1.5],
    ["donegate.verify.maxAttempts", 0],
    ["donegate.verify.maxAttempts", "3"],
    ["donegate.edits", "always"],
    ["donegate.budget.maxTokens", 1.5],
    ["donegate.model.name", 7],
  ] as const)("with %s = %j are told and count as the default", (key, value) => {
    const { settings, invalid } = read({ [key]: value });
    expect(invalid).toEqual([key]);
    expect(settings).toEqual(read({}).settings);
  });
});
