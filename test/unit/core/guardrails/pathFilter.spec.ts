import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createPathFilter } from "../../../../extension/core/guardrails/pathFilter";
import { createGuardedWorkspace } from "../../../support/guardedWorkspace";

const place = createGuardedWorkspace();
place.file("contract/grader.py");
place.file("workspace/eval/hidden/a.py");
symlinkSync(join(place.base, "contract"), join(place.root, "notes"));
const filter = createPathFilter({
  root: place.root,
  realPaths: place.realPaths,
  contract: [{ path: "eval/hidden", class: "hidden", digest: null, mode: null, links: null }],
  hidden: ["../contract"],
  stateFolders: [join(place.base, "state")],
});
afterAll(() => place.dispose());

it.each([
  "eval/hidden",
  "eval/hidden/a.py",
  "EVAL/hidden/a.py",
  "notes",
  "notes/grader.py",
  "../contract",
  ".git/config",
  ".env",
  "a/.env.local",
  "k.pem",
  "secrets/x",
  "../state/x",
])("leaves %s out", (path) => {
  expect(filter.isHidden(path)).toBe(true);
});

it.each([
  "src/a.ts",
  "eval/visible.py",
  ".env.example",
  ".gitignore",
  ".github/workflows/ci.yml",
  "environment.ts",
  ".",
])("shows %s", (path) => {
  expect(filter.isHidden(path)).toBe(false);
});

it("takes absolute paths as well", () => {
  expect(filter.isHidden(join(place.root, "eval/hidden/a.py"))).toBe(true);
  expect(filter.isHidden(join(place.root, "src/a.ts"))).toBe(false);
});

it("names hidden folders inside the root for a search program, not those outside", () => {
  expect(filter.excludes).toEqual(expect.arrayContaining(["eval/hidden/**", "**/.git/**", "**/*.pem"]));
  expect(filter.excludes.join(" ")).not.toContain("contract");
});
