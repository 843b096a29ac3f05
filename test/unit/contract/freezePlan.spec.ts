import { link, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { VerificationPlan } from "../../../extension/core/contract/verificationPlan";
import { createContractPorts } from "../../support/contractPorts";
import { checkSpec, freezeWorkspace } from "../../support/freezeWorkspace";
import { putFiles, temporaryWorkspace } from "../../support/temporaryWorkspace";

function classesOf(plan: VerificationPlan): Record<string, string> {
  return Object.fromEntries(plan.contract.map((entry) => [entry.path, entry.class]));
}

function frozenPaths(plan: VerificationPlan): string[] {
  return plan.contract.filter((entry) => entry.class === "frozen").map((entry) => entry.path);
}

describe("freezing a check", () => {
  it("keeps the runner's real path and digest", async () => {
    const root = await temporaryWorkspace({ "grade.js": "" });
    const [check] = (await freezeWorkspace(root, ["node", "grade.js"])).checks;
    expect(check?.runner.program).toBe("node");
    expect(check?.runner.path).toMatch(/node(\.exe)?$/);
    expect(check?.runner.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it("finds the runner of shell text behind assignments and what the shell does itself", async () => {
    const root = await temporaryWorkspace();
    const [check] = (await freezeWorkspace(root, "cd . && X=1 node --version")).checks;
    expect(check?.runner.program).toBe("node");
  });

  it("names a missing program as a warning", async () => {
    const plan = await freezeWorkspace(await temporaryWorkspace(), ["no-such-program-here", "x"]);
    expect(plan.checks[0]?.runner).toEqual({ program: "no-such-program-here", path: null, digest: null });
    expect(plan.warnings).toEqual(['check "tests" cannot run: the program no-such-program-here was not found']);
  });

  it("says what shell operators hide, in the check and in the scripts it runs", async () => {
    const root = await temporaryWorkspace({ "package.json": '{"scripts":{"test":"node a.js || true"}}' });
    const text = await freezeWorkspace(root, "node a.js; node b.js &", { source: "discovered" });
    expect(text.warnings).toEqual([
      'check "tests": ";" goes on after a failure in shells that do not stop at errors',
      'check "tests": a trailing "&" answers before the command ends',
    ]);
    expect((await freezeWorkspace(root, ["npm", "test"])).warnings).toEqual([
      'check "tests", script "test": "||" hides the failure of what stands before it',
    ]);
    const quoted = await freezeWorkspace(root, "node -e 'a || b; c'", { source: "discovered" });
    expect(quoted.warnings).toEqual([]);
    // The configuration said it already, with its place.
    expect((await freezeWorkspace(root, "node a.js; node b.js &")).warnings).toEqual([]);
  });

  it("gives equal digests to equal workspaces and another one after any change", async () => {
    const files = { "grade.js": "1", "test/a.test.js": "2" };
    const root = await temporaryWorkspace(files);
    const first = await freezeWorkspace(root, ["node", "grade.js"]);
    expect((await freezeWorkspace(root, ["node", "grade.js"])).digest).toBe(first.digest);
    expect((await freezeWorkspace(root, ["node", "grade.js", "-v"])).digest).not.toBe(first.digest);
    await putFiles(root, { "grade.js": "3" });
    expect((await freezeWorkspace(root, ["node", "grade.js"])).digest).not.toBe(first.digest);
  });
});

describe("files of a check", () => {
  it("freezes every argument that names a file, also in shell text, options and test ids", async () => {
    const root = await temporaryWorkspace({ "a.js": "", "b b.js": "", "c.json": "", "d.py": "", "product.js": "" });
    const text = `sh -c 'node "b b.js" --config=c.json' && node a.js && node x.js d.py::case`;
    expect(frozenPaths(await freezeWorkspace(root, text))).toEqual(["a.js", "b b.js", "c.json", "d.py"]);
    expect(frozenPaths(await freezeWorkspace(root, ["node", "a.js", "missing.js", "."]))).toEqual(["a.js"]);
  });

  it("counts from the check's own folder and reaches outside the root", async () => {
    const root = await temporaryWorkspace({ "web/a.js": "", "a.js": "" });
    await putFiles(join(root, ".."), { "grader/grade.js": "" });
    const run = ["node", "a.js", "../../grader/grade.js", join(root, "a.js")];
    const plan = await freezeWorkspace(root, [], { checks: [checkSpec(run, { cwd: "web" })] });
    expect(frozenPaths(plan)).toEqual(["../grader/grade.js", "a.js", "web/a.js"]);
  });

  it("looks through package scripts, their hooks and the scripts they run", async () => {
    const scripts = {
      pretest: "node prepare.js",
      test: "npm run unit -- --x",
      unit: "vitest run",
      lint: "eslint x.js",
    };
    const root = await temporaryWorkspace({
      "package.json": JSON.stringify({ scripts }),
      "prepare.js": "",
      "x.js": "",
      "src/a.test.ts": "",
      "src/a.ts": "",
      "vitest.config.ts": "",
    });
    const classes = classesOf(await freezeWorkspace(root, ["npm", "test"]));
    expect(classes).toMatchObject({
      "package.json": "projection",
      "prepare.js": "frozen",
      "src/a.test.ts": "frozen",
      "vitest.config.ts": "frozen",
      "vitest.config.js": "trap",
      ".npmrc": "trap",
      "**/*.{test,spec}.{js,mjs,cjs,jsx,ts,mts,cts,tsx}": "new-test",
    });
    expect(classes["src/a.ts"]).toBeUndefined();
    expect(classes["x.js"]).toBeUndefined();
  });

  it("freezes digest, mode and link count", async () => {
    const root = await temporaryWorkspace({ "grade.sh": "exit 0\n" });
    await link(join(root, "grade.sh"), join(root, "other"));
    const [entry] = (await freezeWorkspace(root, ["sh", "grade.sh"])).contract.filter(
      (found) => found.class === "frozen",
    );
    expect(entry).toEqual({
      path: "grade.sh",
      class: "frozen",
      digest: createContractPorts().hasher.sha256("exit 0\n"),
      mode: 0o644,
      links: 2,
    });
  });
});

describe("runners", () => {
  it("pytest: tests, conftest and configuration, present and absent", async () => {
    const root = await temporaryWorkspace({
      "tests/test_a.py": "",
      "tests/conftest.py": "",
      "tests/data/expected.csv": "",
      "tests/run.log": "",
      "tests/__pycache__/x.pyc": "",
      "pyproject.toml": "[tool.pytest.ini_options]\n",
      "src/app.py": "",
    });
    const plan = await freezeWorkspace(root, ["pytest", "-q"]);
    expect(frozenPaths(plan)).toEqual(["tests/conftest.py", "tests/data/expected.csv", "tests/test_a.py"]);
    expect(classesOf(plan)).toMatchObject({
      "pyproject.toml": "projection",
      "setup.cfg": "projection",
      "pytest.ini": "trap",
      "tox.ini": "trap",
      "**/conftest.py": "trap",
      "**/sitecustomize.py": "trap",
      "**/test_*.py": "new-test",
    });
    expect(plan.checks[0]?.env).toEqual({ PYTHONDONTWRITEBYTECODE: "1" });
  });

  it("make: the makefile, its rivals and a file named like the target", async () => {
    const root = await temporaryWorkspace({ Makefile: "test:\n\tnode x.js\n" });
    expect(classesOf(await freezeWorkspace(root, ["make", "-s", "test", "V=1"]))).toEqual({
      Makefile: "frozen",
      makefile: "trap",
      GNUmakefile: "trap",
      test: "trap",
      "donegate.yaml": "trap",
      ".github/workflows/**": "trap",
    });
    await mkdir(join(root, "test"));
    expect(classesOf(await freezeWorkspace(root, ["make", "test"]))["test"]).toBeUndefined();
  });

  it("cargo: only the test tables of each manifest", async () => {
    const root = await temporaryWorkspace({
      "Cargo.toml": "[package]\n",
      "member/Cargo.toml": "[package]\n",
      "tests/it.rs": "",
    });
    expect(classesOf(await freezeWorkspace(root, ["cargo", "test"]))).toMatchObject({
      "Cargo.toml": "projection",
      "member/Cargo.toml": "projection",
      "tests/it.rs": "frozen",
      ".cargo/config.toml": "trap",
    });
  });

  it("an unknown program adds nothing but its own files", async () => {
    const root = await temporaryWorkspace({ "grade.js": "", "test/a.test.js": "", "package.json": "{}" });
    expect(frozenPaths(await freezeWorkspace(root, ["node", "grade.js"]))).toEqual(["grade.js"]);
  });
});

describe("protected and hidden", () => {
  it("freezes what protect names and what continuous integration runs", async () => {
    const root = await temporaryWorkspace({
      "fixtures/a.json": "",
      "golden/b.txt": "",
      ".github/workflows/ci.yml": "",
      ".github/other.yml": "",
    });
    const plan = await freezeWorkspace(root, ["node"], { protect: ["fixtures/**", "golden", "later.txt"] });
    expect(classesOf(plan)).toEqual({
      ".github/workflows/**": "trap",
      ".github/workflows/ci.yml": "frozen",
      "fixtures/**": "trap",
      "fixtures/a.json": "frozen",
      "golden/**": "trap",
      "golden/b.txt": "frozen",
      "later.txt": "trap",
      "donegate.yaml": "trap",
    });
  });

  it("leaves out what checks may write", async () => {
    const root = await temporaryWorkspace({ "tests/test_a.py": "", "tests/out/result.txt": "" });
    expect(frozenPaths(await freezeWorkspace(root, ["pytest"], { outputs: ["tests/out/**"] }))).toEqual([
      "tests/test_a.py",
    ]);
  });

  it("holds a hidden folder as one entry, inside the root or outside", async () => {
    const root = await temporaryWorkspace({ "secret/test_b.py": "b" });
    await putFiles(join(root, ".."), { "contract/grade.py": "g" });
    const plan = await freezeWorkspace(root, ["pytest", "secret/test_b.py", "../contract/grade.py"], {
      hidden: ["../contract/", "secret", "nowhere"],
    });
    const hidden = plan.contract.filter((entry) => entry.class === "hidden");
    expect(hidden.map((entry) => [entry.path, entry.digest !== null])).toEqual([
      ["../contract", true],
      ["nowhere", false],
      ["secret", true],
    ]);
    expect(frozenPaths(plan)).toEqual([]);
    // The machine may have no pytest: that is another warning.
    expect(plan.warnings).toContain("the hidden folder nowhere does not exist");
  });

  it("follows a test that is a link", async () => {
    const root = await temporaryWorkspace({ "shared.py": "x" });
    await mkdir(join(root, "tests"));
    await symlink(join(root, "shared.py"), join(root, "tests/test_link.py"));
    expect(frozenPaths(await freezeWorkspace(root, ["pytest"]))).toEqual(["tests/test_link.py"]);
  });
});
