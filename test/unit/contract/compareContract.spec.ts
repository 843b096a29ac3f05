import { chmod, link, mkdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compareContract } from "../../../extension/core/contract/compareContract";
import type { VerificationPlan } from "../../../extension/core/contract/verificationPlan";
import { createContractPorts } from "../../support/contractPorts";
import { freezeWorkspace } from "../../support/freezeWorkspace";
import { putFiles, temporaryWorkspace } from "../../support/temporaryWorkspace";

const python = {
  "tests/test_a.py": "def test_a():\n    assert False\n",
  "tests/sub/test_b.py": "",
  "pyproject.toml": '[project]\ndependencies = ["a"]\n[tool.pytest.ini_options]\naddopts = "-q"\n',
  "setup.cfg": "[metadata]\nname = x\n[tool:pytest]\ntestpaths = tests\n",
  "app.py": "",
};

async function changesAfter(root: string, plan: VerificationPlan, act: () => Promise<unknown>): Promise<string[]> {
  await act();
  const changes = await compareContract(plan, createContractPorts(), root);
  return changes.map((change) => `${change.what} ${change.path}`);
}

async function pythonCase(act: (root: string) => Promise<unknown>): Promise<string[]> {
  const root = await temporaryWorkspace(python);
  const plan = await freezeWorkspace(root, ["pytest", "-q"], { protect: ["golden/*.txt"] });
  return changesAfter(root, plan, () => act(root));
}

describe("a contract that was left alone", () => {
  it.each<[string, Record<string, string>]>([
    ["nothing at all", {}],
    ["product code", { "app.py": "x = 1\n", "new.py": "" }],
    ["a new test", { "tests/test_new.py": "" }],
    ["a new dependency", { "pyproject.toml": python["pyproject.toml"].replace('["a"]', '["a", "b"]') }],
    ["another section", { "setup.cfg": `${python["setup.cfg"]}[flake8]\nmax-line-length = 100\n` }],
    [
      "a comment in the deciding part",
      { "pyproject.toml": python["pyproject.toml"].replace("addopts", "# why\naddopts") },
    ],
    ["caches and outputs", { "tests/__pycache__/conftest.py": "", "node_modules/x/conftest.py": "" }],
  ])("%s changes nothing", async (_name, files) => {
    expect(await pythonCase((root) => putFiles(root, files))).toEqual([]);
  });
});

describe("a contract that was changed", () => {
  it.each<[string, (root: string) => Promise<unknown>, string[]]>([
    [
      "other bytes of one length",
      (root) => putFiles(root, { "tests/test_a.py": python["tests/test_a.py"].replace("False", "True ") }),
      ["changed tests/test_a.py"],
    ],
    ["a deleted test", (root) => rm(join(root, "tests/test_a.py")), ["deleted tests/test_a.py"]],
    [
      "a renamed parent folder",
      (root) => rename(join(root, "tests"), join(root, "old")),
      ["deleted tests/sub/test_b.py", "deleted tests/test_a.py"],
    ],
    ["another mode", (root) => chmod(join(root, "tests/test_a.py"), 0o755), ["mode tests/test_a.py"]],
    ["a hard link", (root) => link(join(root, "tests/test_a.py"), join(root, "free.py")), ["linked tests/test_a.py"]],
    [
      "a folder in its place",
      async (root) => {
        await rm(join(root, "tests/test_a.py"));
        await mkdir(join(root, "tests/test_a.py"));
      },
      ["changed tests/test_a.py"],
    ],
    [
      "a link to other bytes",
      async (root) => {
        await rm(join(root, "tests/test_a.py"));
        await symlink(join(root, "app.py"), join(root, "tests/test_a.py"));
      },
      ["changed tests/test_a.py"],
    ],
    ["a trap at the root", (root) => putFiles(root, { "pytest.ini": "" }), ["created pytest.ini"]],
    ["a trap anywhere", (root) => putFiles(root, { "deep/er/conftest.py": "" }), ["created deep/er/conftest.py"]],
    ["a trap in another case", (root) => putFiles(root, { "ConfTest.py": "" }), ["created ConfTest.py"]],
    ["a trap that is a link", (root) => symlink("app.py", join(root, "conftest.py")), ["created conftest.py"]],
    ["a trap that is a folder", (root) => mkdir(join(root, "tox.ini")), ["created tox.ini"]],
    ["a name under a protected glob", (root) => putFiles(root, { "golden/a.txt": "" }), ["created golden/a.txt"]],
    ["a workflow", (root) => putFiles(root, { ".github/workflows/x.yml": "" }), ["created .github/workflows/x.yml"]],
    [
      "the deciding part",
      (root) => putFiles(root, { "setup.cfg": python["setup.cfg"].replace("tests", "none") }),
      ["changed setup.cfg"],
    ],
    [
      "a dotted key that decides",
      (root) =>
        putFiles(root, { "pyproject.toml": `tool.pytest.ini_options.python_files = "x"\n${python["pyproject.toml"]}` }),
      ["changed pyproject.toml"],
    ],
    [
      "a file whose deciding part is gone with it",
      (root) => rm(join(root, "pyproject.toml")),
      ["changed pyproject.toml"],
    ],
  ])("%s is seen", async (_name, act, expected) => {
    expect(await pythonCase(act)).toEqual(expected);
  });

  it("a projected file that was absent may come without a deciding part, and not with one", async () => {
    const root = await temporaryWorkspace({ "tests/test_a.py": "" });
    const plan = await freezeWorkspace(root, ["pytest"]);
    expect(
      await changesAfter(root, plan, () => putFiles(root, { "pyproject.toml": "[project]\nname = 'x'\n" })),
    ).toEqual([]);
    const decides = { "pyproject.toml": "[tool.pytest.ini_options]\n" };
    expect(await changesAfter(root, plan, () => putFiles(root, decides))).toEqual(["changed pyproject.toml"]);
  });

  it("package.json counts by scripts, type, workspaces and runner sections only", async () => {
    const manifest = { scripts: { test: "node --test" }, dependencies: {}, type: "module" };
    const root = await temporaryWorkspace({ "package.json": JSON.stringify(manifest) });
    const plan = await freezeWorkspace(root, ["npm", "test"]);
    const write = (value: unknown) => () => putFiles(root, { "package.json": JSON.stringify(value, null, 2) });
    expect(await changesAfter(root, plan, write({ ...manifest, dependencies: { a: "1" }, version: "2" }))).toEqual([]);
    for (const change of [
      { scripts: { test: "exit 0" } },
      { type: "commonjs" },
      { jest: {} },
      { scripts: { ...manifest.scripts, pretest: "x" } },
    ]) {
      expect(await changesAfter(root, plan, write({ ...manifest, ...change }))).toEqual(["changed package.json"]);
    }
    expect(await changesAfter(root, plan, () => putFiles(root, { "package.json": "{ broken" }))).toEqual([
      "changed package.json",
    ]);
  });

  it("a hidden folder counts by names and bytes", async () => {
    const root = await temporaryWorkspace();
    const outside = join(root, "..");
    await putFiles(outside, { "contract/a.py": "1" });
    const plan = await freezeWorkspace(root, ["node"], { hidden: ["../contract", "../later"] });
    expect(await changesAfter(root, plan, () => putFiles(outside, { "contract/__pycache__/a.pyc": "" }))).toEqual([]);
    expect(await changesAfter(root, plan, () => putFiles(outside, { "contract/a.py": "2" }))).toEqual([
      "changed ../contract",
    ]);
    await putFiles(outside, { "contract/a.py": "1" });
    expect(await changesAfter(root, plan, () => putFiles(outside, { "contract/b.py": "" }))).toEqual([
      "changed ../contract",
    ]);
    await rm(join(outside, "contract/b.py"));
    expect(await changesAfter(root, plan, () => putFiles(outside, { "later/x": "" }))).toEqual(["created ../later"]);
    expect(await changesAfter(root, plan, () => rm(join(outside, "contract"), { recursive: true }))).toContain(
      "deleted ../contract",
    );
  });

  it("a protected build folder is looked into, though build folders are left out elsewhere", async () => {
    const root = await temporaryWorkspace({ "dist/golden/a.txt": "1" });
    const plan = await freezeWorkspace(root, ["node"], { protect: ["dist/golden/**"] });
    expect(await changesAfter(root, plan, () => Promise.resolve())).toEqual([]);
    expect(await changesAfter(root, plan, () => putFiles(root, { "dist/golden/a.txt": "2" }))).toEqual([
      "changed dist/golden/a.txt",
    ]);
    await putFiles(root, { "dist/golden/a.txt": "1" });
    expect(await changesAfter(root, plan, () => putFiles(root, { "dist/golden/b.txt": "" }))).toEqual([
      "created dist/golden/b.txt",
    ]);
  });

  it("what cannot be read counts as changed", async () => {
    const root = await temporaryWorkspace(python);
    const plan = await freezeWorkspace(root, ["pytest"]);
    const ports = createContractPorts();
    const files = Object.assign(Object.create(ports.files) as typeof ports.files, {
      read: (path: string) =>
        path.endsWith("test_a.py")
          ? Promise.resolve({ ok: false as const, code: "failed" as const, message: "permission denied" })
          : ports.files.read(path),
    });
    const changes = await compareContract(plan, { ...ports, files }, root);
    expect(changes).toEqual([
      { path: "tests/test_a.py", class: "frozen", what: "changed", detail: "cannot be read: permission denied" },
    ]);
  });

  it("a workspace that cannot be listed counts as changed", async () => {
    const root = await temporaryWorkspace(python);
    const plan = await freezeWorkspace(root, ["pytest"]);
    await rm(root, { recursive: true });
    const changes = await compareContract(plan, createContractPorts(), root);
    expect(changes.some((change) => change.path === "." && change.what === "changed")).toBe(true);
  });
});
