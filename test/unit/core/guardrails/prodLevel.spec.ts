import { expect, it } from "vitest";
import { createProdLevel } from "../../../../extension/core/guardrails/prodLevel";
import type { Tag } from "../../../../extension/core/guardrails/verdict";
import { guardedCall } from "../../../support/guardedWorkspace";

const level = createProdLevel({ patterns: ["*.live.example.com"] });
const outward: readonly Tag[] = ["command", "network"];

it.each([
  [{ env: "prod" }],
  [{ env: "PRODUCTION" }],
  [{ env: "live" }],
  [{ env: ["dev", "Prod"] }],
  [{ env: "ｐｒｏｄ" }],
  [{ host: "db-prod-1" }],
  [{ host: "api.live.example.com" }],
  [{ url: "https://api.LIVE.example.com/x" }],
  [{ production: true }],
  [{ options: { stage: "prod" } }],
])("%j waits for a person", (args) => {
  const verdicts = level.verdicts(guardedCall({ tool: "ops_deploy", args, tags: outward }));
  expect(verdicts).toEqual([{ decision: "ask", rule: "prod", reason: "prod needs human approval", level: "prod" }]);
});

it.each([
  [{ env: "dev" }],
  [{ name: "products" }],
  [{ production: false }],
  [{ host: "live.example.org" }],
  [{ note: "we live here" }],
])("%j does not", (args) => {
  expect(level.verdicts(guardedCall({ tool: "deploy", args, tags: outward }))).toEqual([]);
});

it("a tool tagged prod always waits", () => {
  expect(level.verdicts(guardedCall({ tags: ["forge", "prod"] }))).toHaveLength(1);
});

it("a tool without tags is not taken for a local one", () => {
  expect(level.verdicts(guardedCall({ args: { env: "prod" } }))).toHaveLength(1);
});

it("files, plans and questions may speak of production", () => {
  for (const tag of ["read", "write", "plan", "ask"] as const) {
    expect(level.verdicts(guardedCall({ args: { path: "infra/prod", text: "prod" }, tags: [tag] }))).toEqual([]);
  }
});
