import { describe, expect, it } from "vitest";
import { discoverChecks } from "../../../extension/core/contract/discover/discoverChecks";
import { createDiscoveryFiles } from "../../../extension/core/contract/discover/discoveryFiles";
import { NodeWorkspaceFiles } from "../../../extension/node/nodeWorkspaceFiles";
import { temporaryWorkspace } from "../../support/temporaryWorkspace";

async function discover(files: Readonly<Record<string, string>>) {
  const root = await temporaryWorkspace(files);
  return discoverChecks(createDiscoveryFiles(new NodeWorkspaceFiles(), root));
}

async function commands(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { checks } = await discover(files);
  return checks.map((check) => `${[check.run].flat().join(" ")} <- ${check.provenance}`);
}

function manifest(scripts: Readonly<Record<string, string>>, more: object = {}): string {
  return JSON.stringify({ name: "x", scripts, ...more });
}

describe("package scripts", () => {
  it.each([
    ["package-lock.json", "npm test"],
    ["pnpm-lock.yaml", "pnpm test"],
    ["yarn.lock", "yarn test"],
    ["bun.lock", "bun run test"],
    ["bun.lockb", "bun run test"],
  ])("%s makes it %s", async (lockfile, command) => {
    const found = await commands({ "package.json": manifest({ test: "node --test" }), [lockfile]: "" });
    expect(found).toEqual([`${command} <- package.json scripts.test`]);
  });

  it("takes the packageManager field where no lockfile says otherwise", async () => {
    const files = { "package.json": manifest({ test: "jest" }, { packageManager: "pnpm@9.1.0" }) };
    expect(await commands(files)).toEqual(["pnpm test <- package.json scripts.test"]);
  });

  it("takes the packageManager field between several lockfiles, and warns without one", async () => {
    const locks = { "package-lock.json": "{}", "yarn.lock": "" };
    const named = { ...locks, "package.json": manifest({ test: "jest" }, { packageManager: "yarn@4.0.0" }) };
    expect(await commands(named)).toEqual(["yarn test <- package.json scripts.test"]);
    const unnamed = await discover({ ...locks, "package.json": manifest({ test: "jest" }) });
    expect(unnamed.checks[0]?.run).toEqual(["npm", "test"]);
    expect(unnamed.warnings).toEqual(["several lockfiles (npm, yarn): scripts are run by npm"]);
  });

  it("adds lint and the type check under each of its usual names", async () => {
    for (const name of ["typecheck", "type-check", "check-types"]) {
      const found = await commands({
        "package.json": manifest({ [name]: "tsc", lint: "eslint .", build: "x", test: "jest" }),
      });
      expect(found).toEqual([
        "npm test <- package.json scripts.test",
        "npm run lint <- package.json scripts.lint",
        `npm run ${name} <- package.json scripts.${name}`,
      ]);
    }
  });

  it.each([
    'echo "Error: no test specified" && exit 1',
    "",
    "  ",
    "exit 0",
    "true",
    "echo ok",
    "echo ok; exit 0",
    "echo none || true",
  ])("the placeholder %j declares nothing", async (script) => {
    expect(await commands({ "package.json": manifest({ test: script }) })).toEqual([]);
  });

  it.each(["echo start && node --test", "echo x | node check.js", "echo $(node check.js)", "exit-test run"])(
    "%j is no placeholder",
    async (script) => {
      expect(await commands({ "package.json": manifest({ test: script }) })).toHaveLength(1);
    },
  );

  it.each(["{ not json", "[]", "null", ""])("package.json with %j is a warning, not a crash", async (text) => {
    const found = await discover({ "package.json": text, "go.mod": "module x\n" });
    expect(found.warnings).toEqual(["package.json is not a valid JSON object: its scripts are not used as checks"]);
    expect(found.checks.map((check) => check.name)).toEqual(["go-test"]);
  });

  it("ignores scripts that are not text", async () => {
    expect(await commands({ "package.json": '{"scripts":{"test":["jest"]}}' })).toEqual([]);
    expect(await commands({ "package.json": '{"scripts":"jest"}' })).toEqual([]);
  });
});

describe("other manifests", () => {
  it.each([
    [
      "pyproject.toml",
      "[project]\nname='x'\n[tool.pytest.ini_options]\naddopts=''\n",
      "pyproject.toml [tool.pytest.ini_options]",
    ],
    ["pytest.ini", "", "pytest.ini"],
    ["setup.cfg", "[metadata]\n[tool:pytest]\n", "setup.cfg [tool:pytest]"],
    ["tox.ini", "[tox]\n[pytest]\n", "tox.ini [pytest]"],
    ["conftest.py", "", "conftest.py"],
    ["tests/unit/test_a.py", "", "tests/unit/test_a.py"],
    ["test_a.py", "", "test_a.py"],
  ])("%s declares pytest", async (path, text, provenance) => {
    expect(await commands({ [path]: text })).toEqual([`pytest -q <- ${provenance}`]);
  });

  it("runs pytest through uv where uv.lock is there", async () => {
    expect(await commands({ "uv.lock": "", "tests/test_a.py": "" })).toEqual(["uv run pytest -q <- tests/test_a.py"]);
  });

  it("does not take another tool's section or a helper for pytest", async () => {
    const files = { "pyproject.toml": "[tool.black]\n", "tox.ini": "[tox]\n", "tests/data.py": "", "testing.py": "" };
    expect(await commands(files)).toEqual([]);
  });

  it("finds cargo and go", async () => {
    expect(await commands({ "Cargo.toml": "[package]\nname='x'\n" })).toEqual(["cargo test <- Cargo.toml"]);
    expect(await commands({ "go.mod": "module x\n" })).toEqual(["go test ./... <- go.mod"]);
  });

  it("ranks package scripts, pytest, cargo, go and answers the same each time", async () => {
    const files = {
      "go.mod": "",
      "Cargo.toml": "[workspace]\n",
      "pytest.ini": "",
      "package.json": manifest({ test: "jest" }),
    };
    const first = await commands(files);
    expect(first.map((line) => line.split(" ")[0])).toEqual(["npm", "pytest", "cargo", "go"]);
    expect(await commands(files)).toEqual(first);
  });

  it("finds nothing in an empty folder", async () => {
    expect(await discover({})).toEqual({ checks: [], warnings: [] });
  });
});

describe("make targets", () => {
  it("count only when no test was found elsewhere", async () => {
    const makefile = ".PHONY: test\ntest: build\n\ttrue\n";
    expect(await commands({ Makefile: makefile })).toEqual(["make test <- Makefile test"]);
    expect(await commands({ Makefile: makefile, "go.mod": "" })).toEqual(["go test ./... <- go.mod"]);
    const lintOnly = { Makefile: makefile, "package.json": manifest({ lint: "eslint ." }) };
    expect((await commands(lintOnly)).at(-1)).toBe("make test <- Makefile test");
  });

  it("takes check where test is missing, and several targets on one line", async () => {
    expect(await commands({ Makefile: "build check :: x\n\ttrue\n" })).toEqual(["make check <- Makefile check"]);
  });

  it("reads the file that make reads first", async () => {
    expect(await commands({ Makefile: "test:\n\ttrue\n", GNUmakefile: "check:\n\ttrue\n" })).toEqual([
      "make check <- GNUmakefile check",
    ]);
  });

  it.each(["# test: x\n", "test := x\n", "test = a: b\n", ".PHONY: test\n", "all:\n\ttest: x\n", "tests:\n\ttrue\n"])(
    "%j holds no target",
    async (text) => {
      expect(await commands({ Makefile: text })).toEqual([]);
    },
  );
});
