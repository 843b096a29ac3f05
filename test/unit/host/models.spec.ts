import { describe, expect, it } from "vitest";
import { chooseModel, chooseModelAgain, problemOfBaseUrl, type ModelSources } from "../../../extension/host/models";
import { keepKey, keyFor, type SecretStore } from "../../../extension/host/secrets";
import { DemoModel } from "../../../extension/node/demoModel";
import { SystemClock } from "../../../extension/node/systemClock";

function secretStore(): SecretStore {
  const kept = new Map<string, string>();
  return {
    get: (key) => Promise.resolve(kept.get(key)),
    store: (key, value) => Promise.resolve(void kept.set(key, value)),
    delete: (key) => Promise.resolve(void kept.delete(key)),
  };
}

const nothing: ModelSources = {
  settings: { modelName: null, modelBaseUrl: null },
  env: {},
  keyFor: () => Promise.resolve(null),
};

describe("the model of a new run", () => {
  it("is asked for when none is chosen", async () => {
    expect(await chooseModel(nothing)).toMatchObject({ ok: false, code: "model" });
  });

  it("comes from the settings before the environment", async () => {
    const env = { DONEGATE_MODEL: "env", DONEGATE_BASE_URL: "http://127.0.0.1:1/v1" };
    expect(await chooseModel({ ...nothing, env })).toMatchObject({
      model: { name: "env", baseUrl: "http://127.0.0.1:1/v1" },
    });
    const settings = { modelName: "set", modelBaseUrl: "http://localhost:2/v1" };
    expect(await chooseModel({ ...nothing, env, settings })).toMatchObject({
      model: { name: "set", baseUrl: "http://localhost:2/v1" },
    });
  });

  it("is the scripted one by its name, whatever server is set", async () => {
    const settings = { modelName: "demo", modelBaseUrl: "https://example.com/v1" };
    expect(await chooseModel({ ...nothing, settings })).toEqual({
      ok: true,
      model: { name: "demo", baseUrl: null, apiKey: null },
    });
  });

  it("needs a key on another machine, and none on this one", async () => {
    const on = (modelBaseUrl: string) => ({ ...nothing, settings: { modelName: "m", modelBaseUrl } });
    expect(await chooseModel(on("https://example.com/v1"))).toMatchObject({ ok: false, code: "key" });
    expect(await chooseModel(on("https://localhost.example.com/v1"))).toMatchObject({ ok: false, code: "key" });
    for (const here of ["http://localhost:1/v1", "http://127.0.0.1:1/v1", "http://[::1]:1/v1"]) {
      expect(await chooseModel(on(here))).toMatchObject({ ok: true });
    }
  });

  it("gets the key that was kept for its server, else the one of the environment", async () => {
    const secrets = secretStore();
    await keepKey(secrets, "https://a.example/v1", " secret-a ");
    const on = (modelBaseUrl: string): ModelSources => ({
      settings: { modelName: "m", modelBaseUrl },
      env: { OPENAI_API_KEY: "from-env" },
      keyFor: (baseUrl) => keyFor(secrets, baseUrl),
    });
    expect(await chooseModel(on("https://a.example/v2"))).toMatchObject({ model: { apiKey: "secret-a" } });
    expect(await chooseModel(on("https://b.example/v1"))).toMatchObject({ model: { apiKey: "from-env" } });
    await keepKey(secrets, "https://a.example/v1", "");
    expect(await chooseModel(on("https://a.example/v1"))).toMatchObject({ model: { apiKey: "from-env" } });
  });
});

describe("the model of a resumed run", () => {
  const chosen: ModelSources = { ...nothing, settings: { modelName: "new", modelBaseUrl: "http://127.0.0.1:9/v1" } };
  const before = { model: "old", endpoint: "http://127.0.0.1:1/v1" };

  it("is the one it had, the scripted one included", async () => {
    expect(await chooseModelAgain({ ...before, failed: false }, chosen)).toMatchObject({
      ...{ name: "old", baseUrl: "http://127.0.0.1:1/v1" },
    });
    const { endpoint } = new DemoModel({ clock: new SystemClock() });
    expect(await chooseModelAgain({ model: "demo", endpoint, failed: false }, chosen)).toMatchObject({ baseUrl: null });
  });

  it("is the one chosen now when the old one is what failed", async () => {
    expect(await chooseModelAgain({ ...before, failed: true }, chosen)).toMatchObject({ name: "new" });
    expect(await chooseModelAgain({ ...before, failed: true }, nothing)).toMatchObject({ name: "old" });
  });
});

describe("an address that a person types", () => {
  it.each([
    ["http://localhost:8080/v1", null],
    ["localhost:8080", "http"],
    ["nonsense", "not an address"],
    ["ftp://a/v1", "http"],
    ["https://me:secret@a/v1", "user name"],
  ])("%s", (text, problem) => {
    if (problem === null) expect(problemOfBaseUrl(text)).toBeNull();
    else expect(problemOfBaseUrl(text)).toContain(problem);
  });
});
