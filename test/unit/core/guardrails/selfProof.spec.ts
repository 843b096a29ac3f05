import { afterAll, expect, it } from "vitest";
import { createCommandGate } from "../../../../extension/core/guardrails/commandGate";
import { createCommandReader } from "../../../../extension/core/guardrails/commandReader";
import { createPathGuard, createPathPolicy } from "../../../../extension/core/guardrails/pathGuard";
import type { PathRulesOptions } from "../../../../extension/core/guardrails/pathRules";
import { findFailedProof } from "../../../../extension/core/guardrails/selfProof";
import type { RealPaths } from "../../../../extension/core/ports/realPaths";
import { TreeSitterGrammar } from "../../../../extension/node/treeSitterGrammar";
import { commandCall, createGuardedWorkspace } from "../../../support/guardedWorkspace";

const place = createGuardedWorkspace();
afterAll(() => place.dispose());

function optionsWith(realPaths: RealPaths): PathRulesOptions {
  const contract = [{ path: "tests/a.js", class: "frozen" as const, digest: null, mode: null, links: null }];
  return { root: place.root, realPaths, contract, protect: [], hidden: [], stateFolders: [] };
}

it("the real guards stop every call they are proved with", async () => {
  const paths = createPathPolicy(optionsWith(place.realPaths));
  const { root, home } = place;
  const reader = createCommandReader({ root, home, paths, prodPatterns: [], grammar: new TreeSitterGrammar() });
  const guards = [createPathGuard(paths), createCommandGate({ root, checks: [], paths, reader })];
  expect(guards.flatMap((guard) => guard.mustStop ?? []).length).toBeGreaterThan(5);
  await reader.prepare(commandCall("ls"));
  expect(findFailedProof(guards)).toBeNull();
});

it("a guard whose disk takes everything for one harmless file is found out", () => {
  let lies = false;
  const harmless = { path: `${place.root}/src/a.ts`, exists: true, links: 1 };
  const lying: RealPaths = {
    ...place.realPaths,
    resolve: (path, base) => (lies ? harmless : place.realPaths.resolve(path, base)),
  };
  const guard = createPathGuard(createPathPolicy(optionsWith(lying)));
  lies = true;
  expect(findFailedProof([guard])).toBe("paths lets a write outside the workspace through");
});

it("a guard whose disk breaks is found out", () => {
  let calls = 0;
  const breaking: RealPaths = {
    ...place.realPaths,
    resolve: (path, base) => {
      if (++calls > 100) throw new Error("gone");
      return place.realPaths.resolve(path, base);
    },
  };
  const guard = createPathGuard(createPathPolicy(optionsWith(breaking)));
  calls = 1000;
  expect(findFailedProof([guard])).toBe("paths lets a write to donegate.yaml through");
});
