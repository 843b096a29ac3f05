// A pass is a pass only for a tree that was judged: what changes while the checks run is judged again, or said to be stale.
import { describe, expect, it } from "vitest";
import { call, say, WorkspaceBench } from "../../support/workspaceBench";

const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });

/** A workspace whose own test wants add(1, 2) to be 3; `extra` is what else package.json's test script does. */
function project(script = "node test.js"): WorkspaceBench {
  const bench = new WorkspaceBench();
  bench.put("package.json", JSON.stringify({ scripts: { test: script } }));
  bench.put("test.js", "if (require('./add.js')(1, 2) !== 3) { console.error('add is wrong'); process.exit(1); }\n");
  bench.put("add.js", "module.exports = (a, b) => a - b;\n");
  return bench;
}

const good = "module.exports = (a, b) => a + b;\n";
const replace = (text: string) => ({
  name: "edit_file",
  args: { path: "add.js", old: "module.exports = (a, b) => a - b;\n", new: text },
});

describe("a tree that changes while it is checked", () => {
  it("is not verified when the product breaks itself after it was loaded", { timeout: 30_000 }, async () => {
    const selfBreaking = `require("fs").writeFileSync(__filename, "module.exports = () => { throw 1; };\\n");\n${good}`;
    const started = await project().start([call(replace(selfBreaking)), say("done")], { maxAttempts: 1 });
    expect((await started.end()).end).toMatchObject({ status: "incomplete", limit: "completion" });
  });

  it("is not verified when it never comes to rest", { timeout: 30_000 }, async () => {
    const restless = `require("fs").appendFileSync(__filename, "// again\\n");\n${good}`;
    const started = await project().start([call(replace(restless)), say("done")], { maxAttempts: 1 });
    const state = await started.end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "completion" });
    expect(state.end?.stoppedBy).toContain("the checks change the work each time they run: add.js");
  });

  it("is verified, and not stale, when a check writes what it always writes", { timeout: 30_000 }, async () => {
    const bench = project("node test.js && echo report > report.txt");
    const state = await (await bench.start([call(replace(good)), say("done")], { maxAttempts: 1 })).end();
    expect(state.end?.status).toBe("done");
    expect(state.lastVerification).toMatchObject({ passed: true, changedDuring: [] });
  });

  it(
    "is verified and stale, with the names, when a check writes something else each time",
    { timeout: 30_000 },
    async () => {
      const bench = project("node test.js && date +%s%N >> times.txt");
      const started = await bench.start([call(replace(good)), say("done")], { maxAttempts: 1 });
      const state = await started.end();
      expect(state.end?.status).toBe("done");
      expect(state.lastVerification?.changedDuring).toEqual(["times.txt"]);
      expect((await bench.outcome()).stale).toBe(true);
    },
  );
});

describe("the harness's own configuration", () => {
  it("cannot be left behind by the product under test", { timeout: 30_000 }, async () => {
    const planting = `require("fs").writeFileSync("donegate.yaml", "verify: off\\n");\n${good}`;
    const started = await project().start([call(replace(planting)), say("done")], { maxAttempts: 1 });
    const state = await started.end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "completion" });
    expect(state.end?.stoppedBy).toContain("donegate.yaml");
  });
});

describe("reads and changes of one turn", () => {
  it("lets a read see the change that was called before it", async () => {
    const bench = project();
    const started = await bench.start(
      [
        call(write("new.txt", "one\n"), { name: "read_file", args: { path: "new.txt" } }),
        call(replace(good)),
        say("done"),
      ],
      { maxAttempts: 1 },
    );
    const state = await started.end();
    expect(state.settledCalls[1]).toMatchObject({ tool: "read_file", success: true });
  });
});
