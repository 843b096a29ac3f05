import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContractClass, ContractEntry } from "../../../../extension/core/contract/verificationPlan";
import { composeVerdicts } from "../../../../extension/core/guardrails/composeVerdicts";
import { createPathGuard, createPathPolicy } from "../../../../extension/core/guardrails/pathGuard";
import type { GuardedCall, PathUse, RuleSet } from "../../../../extension/core/guardrails/verdict";
import type { RealPaths } from "../../../../extension/core/ports/realPaths";
import { createGuardedWorkspace, editCall, guardedCall, readCall } from "../../../support/guardedWorkspace";

const place = createGuardedWorkspace();
let guard: RuleSet;

beforeAll(() => {
  for (const path of [
    "src/a.ts",
    "tests/a.test.js",
    "donegate.yaml",
    ".git/config",
    "vendor/lib.js",
    "dir/inner/x.ts",
  ]) {
    place.file(`workspace/${path}`);
  }
  place.file("contract/grader.py");
  place.file("elsewhere/deep/file.txt");
  place.file("state/run/journal.jsonl");
  place.file("home/.ssh/id_rsa");
  symlinkSync(join(place.base, "elsewhere"), join(place.root, "out"));
  symlinkSync(join(place.root, "donegate.yaml"), join(place.root, "settings.txt"));
  symlinkSync(join(place.root, "tests"), join(place.root, "innocent"));
  symlinkSync(join(place.base, "contract"), join(place.root, "notes"));
  symlinkSync(join(place.root, "dir/inner"), join(place.root, "shortcut"));
  symlinkSync(join(place.base, "nowhere"), join(place.root, "dangling"));
  linkSync(join(place.root, "src/a.ts"), join(place.root, "src/twin.ts"));
  guard = createPathGuard(policyOf(place.realPaths));
});

afterAll(() => place.dispose());

function policyOf(realPaths: RealPaths): ReturnType<typeof createPathPolicy> {
  return createPathPolicy({
    root: place.root,
    realPaths,
    contract: [entry("tests/a.test.js", "frozen"), entry("conftest.py", "trap"), entry("vendor", "dependency")],
    protect: ["fixtures/**", "golden"],
    hidden: ["../contract"],
    stateFolders: [join(place.base, "state")],
  });
}

function entry(path: string, className: ContractClass): ContractEntry {
  return { path, class: className, digest: null, mode: null, links: null };
}

/** `allow`, `ask normal`, `ask guarded`, `ask prod` or `deny`, and the rule. */
function verdictOn(call: GuardedCall): [string, string] {
  const verdict = composeVerdicts(guard.verdicts(call), "allow");
  return [verdict.decision === "ask" ? `ask ${verdict.level}` : verdict.decision, verdict.rule];
}

function shellCall(path: string, use: PathUse["use"] = "write"): GuardedCall {
  return guardedCall({ tool: "t", tags: ["command"], paths: [{ path, use, surface: "shell" }] });
}

describe("writes by edit tools", () => {
  it.each([
    ["src/b.ts"],
    ["src/new/deep/file.ts"],
    ["package.json"],
    ["docs/donegate.yaml.md"],
    ["tests/another.test.js"],
    ["shortcut/y.ts"],
    [".github/dependabot.yml"],
    [".gitignore"],
    ["src/env.ts"],
    ["src/production.ts"],
    ["fixtures.ts"],
    ["src/über/naïve.ts"],
  ])("%s is ordinary work", (path) => {
    expect(verdictOn(editCall(path))).toEqual(["allow", "tool-default"]);
  });

  it.each([
    ["donegate.yaml", "paths.own-files"],
    ["./donegate.yaml", "paths.own-files"],
    ["src/../donegate.yaml", "paths.own-files"],
    ["absent/../donegate.yaml", "paths.own-files"],
    ["DONEGATE.YAML", "paths.own-files"],
    ["donegate．yaml", "paths.own-files"],
    ["ｄonegate.yaml", "paths.own-files"],
    ["donegate.yaml.", "paths.own-files"],
    ["donegate.yaml::$DATA", "paths.own-files"],
    [".\\donegate.yaml", "paths.own-files"],
    ["settings.txt", "paths.own-files"],
    ["donegate.yaml/x", "paths.own-files"],
    [".donegate/anything/new", "paths.own-files"],
    [".DoneGate", "paths.own-files"],
    ["../contract/grader.py", "paths.hidden-folder"],
    ["../CONTRACT/grader.py", "paths.hidden-folder"],
    ["notes/grader.py", "paths.hidden-folder"],
    ["notes/absent.py", "paths.hidden-folder"],
    ["src/twin.ts", "paths.hard-link"],
    ["src/a.ts", "paths.hard-link"],
    ["vendor/lib.js", "paths.dependency"],
    ["src/\u202Etxt.ts", "paths.hidden-character"],
    ["src/a\u200B.ts", "paths.hidden-character"],
    ["src/a\0.ts", "paths.hidden-character"],
    ["src/a\nb.ts", "paths.hidden-character"],
    ["/etc/shadow", "paths.credential-store"],
  ])("%j is denied by %s", (path, rule) => {
    expect(verdictOn(editCall(path))).toEqual(["deny", rule]);
  });

  it.each([
    ["tests/a.test.js", "paths.contract"],
    ["TESTS/A.test.js", "paths.contract"],
    ["innocent/a.test.js", "paths.contract"],
    ["conftest.py", "paths.contract"],
    ["fixtures/new.json", "paths.contract"],
    ["Fixtures/new.json", "paths.contract"],
    ["golden/deep/out.txt", "paths.contract"],
    [".github/workflows/ci.yml", "paths.contract"],
    [".vscode/settings.json", "paths.editor-settings"],
    ["packages/web/.vscode/settings.json", "paths.editor-settings"],
    ["my.code-workspace", "paths.editor-settings"],
    [".git/hooks/pre-commit", "paths.git"],
    [".git/config", "paths.git"],
    [".GIT/config", "paths.git"],
    [".vscode/tasks.json", "paths.editor-files"],
    [".devcontainer/devcontainer.json", "paths.tool-config"],
    [".envrc", "paths.tool-config"],
    ["packages/web/.npmrc", "paths.tool-config"],
    [".mcp.json", "paths.tool-config"],
    [".bashrc", "paths.shell-start-up"],
    ["packages/web/donegate.yaml", "paths.nested-config"],
    ["out/deep/file.txt", "paths.outside-root"],
    ["dangling", "paths.outside-root"],
    ["../sibling.txt", "paths.outside-root"],
    ["out/../file.txt", "paths.outside-root"],
    ["/tmp/x", "paths.outside-root"],
  ])("%j needs a person's own answer because of %s", (path, rule) => {
    expect(verdictOn(editCall(path))).toEqual(["ask guarded", rule]);
  });

  it.each([
    [".env"],
    [".env.local"],
    ["certs/server.pem"],
    ["id_ed25519"],
    ["secrets/token.txt"],
    ["credentials.json"],
  ])("%s asks, since it usually holds secrets", (path) => {
    expect(verdictOn(editCall(path))).toEqual(["ask normal", "paths.secret-file"]);
  });

  it("judges both ends of a move", () => {
    const paths: PathUse[] = [
      { path: "tests/a.test.js", use: "delete", surface: "edit-tool" },
      { path: "tests/b.js", use: "write", surface: "edit-tool" },
    ];
    expect(verdictOn(guardedCall({ tool: "move_file", tags: ["write"], paths }))).toEqual([
      "ask guarded",
      "paths.contract",
    ]);
  });

  it("deleting a folder counts as deleting what it holds", () => {
    expect(verdictOn(editCall("tests", "delete"))).toEqual(["ask guarded", "paths.contract"]);
    expect(verdictOn(editCall("fixtures", "delete"))).toEqual(["ask guarded", "paths.contract"]);
    expect(verdictOn(editCall(".", "delete"))).toEqual(["deny", "paths.own-files"]);
    expect(verdictOn(editCall("src", "delete"))).toEqual(["allow", "tool-default"]);
  });

  it("a `..` after a link is judged as text and as the disk takes it", () => {
    place.file("workspace/tests/deep/x");
    symlinkSync(join(place.root, "tests/deep"), join(place.root, "jump"));
    expect(verdictOn(editCall("jump/../a.test.js"))).toEqual(["ask guarded", "paths.contract"]);
    expect(verdictOn(editCall("jump/../../donegate.yaml"))[0]).toBe("deny");
  });

  it("names the path and the reason", () => {
    expect(guard.verdicts(editCall("donegate.yaml"))[0]).toMatchObject({
      reason: "donegate.yaml configures the harness: only a person changes it, outside a run",
    });
  });
});

describe("reads and lists", () => {
  it.each([
    [readCall("src/a.ts")],
    [readCall("donegate.yaml")],
    [readCall("tests/a.test.js")],
    [readCall(".env.example")],
    [readCall("docs/.env.sample")],
    [readCall("id_map.py")],
    [readCall("src/twin.ts")],
    [readCall(".", "list")],
    [readCall("secrets", "list")],
    [readCall(".github/workflows/ci.yml")],
  ])("%j is ordinary work", (call) => {
    expect(verdictOn(call)).toEqual(["allow", "tool-default"]);
  });

  it.each([
    [readCall("../contract/grader.py"), "deny", "paths.hidden-folder"],
    [readCall("../contract", "list"), "deny", "paths.hidden-folder"],
    [readCall("notes", "list"), "deny", "paths.hidden-folder"],
    [readCall("../state/run/journal.jsonl"), "deny", "paths.engine-state"],
    [readCall("../state", "list"), "deny", "paths.engine-state"],
    [readCall("../home/.ssh/id_rsa"), "deny", "paths.credential-store"],
    [readCall("../home/.config/gcloud/x.db"), "deny", "paths.credential-store"],
    [readCall("../home/.mozilla/firefox/p/logins.json"), "deny", "paths.credential-store"],
    [readCall("../other/.aws/config"), "deny", "paths.credential-store"],
    [readCall("/proc/self/environ"), "deny", "paths.credential-store"],
    [readCall("../sibling/a.txt"), "ask guarded", "paths.outside-root"],
    [readCall("..", "list"), "ask guarded", "paths.outside-root"],
    [readCall(".env"), "ask normal", "paths.secret-file"],
    [readCall("deploy/secrets/db"), "ask normal", "paths.secret-file"],
    [readCall("keys/host.key"), "ask normal", "paths.secret-file"],
    [readCall("id_rsa"), "ask normal", "paths.secret-file"],
  ])("%j: %s by %s", (call, decision, rule) => {
    expect(verdictOn(call)).toEqual([decision, rule]);
  });
});

describe("a shell's paths", () => {
  it.each([
    ["tests/a.test.js", "deny", "paths.contract"],
    [".github/workflows/ci.yml", "deny", "paths.contract"],
    [".vscode/settings.json", "deny", "paths.editor-settings"],
    [".git/config", "ask guarded", "paths.git"],
    ["~/.ssh/config", "deny", "paths.credential-store"],
    ["~/notes.txt", "ask guarded", "paths.outside-root"],
    ["src/b.ts", "allow", "tool-default"],
  ])("writing %s: %s by %s", (path, decision, rule) => {
    expect(verdictOn(shellCall(path))).toEqual([decision, rule]);
  });

  it("the null device is nobody's file", () => {
    expect(verdictOn(shellCall("/dev/null"))).toEqual(["allow", "tool-default"]);
  });
});

describe("tools that declare no paths", () => {
  const custom = (args: Record<string, unknown>): GuardedCall =>
    guardedCall({ tool: "deploy", args, tags: ["command", "network"] });

  it.each([
    [{ env: "dev" }, "allow"],
    [{ message: "a line of text about src and tests", count: 3, dry: true }, "allow"],
    [{ url: "https://example.test/x" }, "allow"],
    [{ file: "donegate.yaml" }, "deny"],
    [{ files: ["a", { deep: "tests/a.test.js" }] }, "deny"],
    [{ file: "../contract/grader.py" }, "deny"],
    [{ file: "/etc/hosts" }, "ask guarded"],
  ])("%j: %s", (args, decision) => {
    expect(verdictOn(custom(args))[0]).toBe(decision);
  });
});

it("a long text in an argument is no path", () => {
  const call = guardedCall({ tool: "notify", args: { text: "x".repeat(9000) }, tags: ["network"] });
  expect(verdictOn(call)).toEqual(["allow", "tool-default"]);
});

it("git's own folder is not deleted without a person", () => {
  expect(verdictOn(editCall(".git", "delete"))).toEqual(["ask guarded", "paths.git"]);
});

describe("a disk that will not say", () => {
  const silent: RealPaths = { home: place.home, caseInsensitive: false, resolve: () => null };

  it("denies every declared path and takes every folder for one that holds hidden ones", () => {
    const policy = policyOf(silent);
    expect(policy.judgeDeclared({ path: "src/a.ts", use: "read", surface: "read-tool" })).toMatchObject([
      { decision: "deny", rule: "paths.unresolved" },
    ]);
    expect(policy.judgeMentioned("src")).toMatchObject([{ decision: "ask", level: "guarded" }]);
    expect(policy.holdsHidden("src")).toBe(true);
  });

  it("still knows the protected names as written", () => {
    const moody: RealPaths = {
      ...place.realPaths,
      resolve: (path, base) => (base === "" ? null : place.realPaths.resolve(path, base)),
    };
    expect(
      policyOf(moody).judgeDeclared({ path: "donegate.yaml", use: "write", surface: "edit-tool" })[0]?.decision,
    ).toBe("deny");
  });
});

it("on a disk without case, a root in another case is still the root", () => {
  mkdirSync(join(place.base, "Other"), { recursive: true });
  const folded: RealPaths = { ...place.realPaths, caseInsensitive: true };
  const policy = createPathPolicy({
    root: join(place.base, "Other"),
    realPaths: folded,
    contract: [],
    protect: [],
    hidden: [],
    stateFolders: [],
  });
  expect(policy.judgeDeclared({ path: join(place.base, "OTHER/x.ts"), use: "write", surface: "edit-tool" })).toEqual(
    [],
  );
});
