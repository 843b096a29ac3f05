import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { amendContract } from "../../../extension/core/contract/amendContract";
import { compareContract } from "../../../extension/core/contract/compareContract";
import { classify } from "../../../extension/core/contract/contractIndex";
import { createContractPorts } from "../../support/contractPorts";
import { freezeWorkspace } from "../../support/freezeWorkspace";
import { putFiles, temporaryWorkspace } from "../../support/temporaryWorkspace";

const files = {
  "tests/test_a.py": "a",
  "tests/caf\u00e9/test_b.py": "b",
  "fixtures/a.json": "{}",
  "app/[id]/test_c.py": "",
  "secret/grade.py": "",
  "app.py": "",
};

async function frozen() {
  const root = await temporaryWorkspace(files);
  const plan = await freezeWorkspace(root, ["pytest"], { protect: ["fixtures/**"], hidden: ["secret", "../contract"] });
  return { root, plan, ports: createContractPorts() };
}

describe("the class a path would fall into", () => {
  it.each([
    ["tests/test_a.py", "frozen"],
    ["./tests/sub/../test_a.py", "frozen"],
    ["Tests/TEST_A.py", "frozen"],
    ["tests/cafe\u0301/test_b.py", "frozen"],
    ["app/[id]/test_c.py", "frozen"],
    ["tests", "frozen"],
    ["fixtures/a.json", "frozen"],
    ["fixtures/new/b.json", "trap"],
    ["conftest.py", "trap"],
    ["src/deep/Conftest.py", "trap"],
    ["tests/conftest.py", "trap"],
    ["pytest.ini", "trap"],
    [".github/workflows/ci.yml", "trap"],
    ["pyproject.toml", "projection"],
    ["tests/test_new.py", "new-test"],
    ["src/test_new.py", "new-test"],
    ["secret", "hidden"],
    ["secret/x/y.py", "hidden"],
    ["SECRET/grade.py", "hidden"],
    ["../contract/grade.py", "hidden"],
  ])("%s is %s", async (path, expected) => {
    expect(classify(path, (await frozen()).plan)?.class).toBe(expected);
  });

  it.each(["app.py", "src/new.py", "secrets/x", "app/i/other.py", "../contracts", "contest.py"])(
    "%s is free",
    async (path) => {
      expect(classify(path, (await frozen()).plan)).toBeNull();
    },
  );
});

describe("an approved change", () => {
  it("is frozen anew: the same change is no difference any more, the next one is", async () => {
    const { root, plan, ports } = await frozen();
    await putFiles(root, { "tests/test_a.py": "approved" });
    const amended = await amendContract(plan, "tests/TEST_a.py", ports, root);
    expect(amended.path).toBe("tests/test_a.py");
    expect(amended.before).toBe(ports.hasher.sha256("a"));
    expect(amended.after).toBe(ports.hasher.sha256("approved"));
    expect(amended.plan.digest).not.toBe(plan.digest);
    expect(await compareContract(amended.plan, ports, root)).toEqual([]);
    await putFiles(root, { "tests/test_a.py": "more" });
    expect(await compareContract(amended.plan, ports, root)).toHaveLength(1);
  });

  it("freezes a name that was to stay absent, and only that one", async () => {
    const { root, plan, ports } = await frozen();
    await putFiles(root, { "src/conftest.py": "x", "pytest.ini": "[pytest]\n" });
    const first = await amendContract(plan, "src/conftest.py", ports, root);
    expect(first.before).toBeNull();
    expect((await compareContract(first.plan, ports, root)).map((change) => change.path)).toEqual(["pytest.ini"]);
    const second = await amendContract(first.plan, "pytest.ini", ports, root);
    expect(await compareContract(second.plan, ports, root)).toEqual([]);
    await putFiles(root, { "lib/conftest.py": "x" });
    expect((await compareContract(second.plan, ports, root)).map((change) => change.path)).toEqual(["lib/conftest.py"]);
  });

  it("makes a deleted file a name that must stay absent", async () => {
    const { root, plan, ports } = await frozen();
    await rm(join(root, "tests/test_a.py"));
    const amended = await amendContract(plan, "tests/test_a.py", ports, root);
    expect(amended.entry).toEqual({ path: "tests/test_a.py", class: "trap", digest: null, mode: null, links: null });
    expect(await compareContract(amended.plan, ports, root)).toEqual([]);
    await putFiles(root, { "tests/test_a.py": "a" });
    expect(await compareContract(amended.plan, ports, root)).toHaveLength(1);
  });

  it("has the digest of a plan that got the entry through the journal", async () => {
    const { root, plan, ports } = await frozen();
    await putFiles(root, { "tests/test_a.py": "approved" });
    const { plan: amended, entry, path } = await amendContract(plan, "tests/test_a.py", ports, root);
    const folded = [...plan.contract.filter((other) => other.path !== path), ...(entry === null ? [] : [entry])];
    expect(amended.contract).toEqual(folded);
  });

  it.each(["app.py", "tests/test_new.py", "secret/grade.py"])("of %s changes nothing in the plan", async (path) => {
    const { root, plan, ports } = await frozen();
    await putFiles(root, { [path]: "x" });
    expect((await amendContract(plan, path, ports, root)).plan.digest).toBe(plan.digest);
  });
});
