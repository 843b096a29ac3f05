// What happens when the run reaches for what decides about it: asked, denied, amended, or found out.
import { describe, expect, it } from "vitest";
import type { WorkspaceRunRequest } from "../../../extension/core";
import { answersInTurn, call, say, WorkspaceBench, type PersonAnswer } from "../../support/workspaceBench";

const configuration = `verify:
  maxAttempts: 2
  checks:
    - { name: unit, run: "python3 check.py" }
`;
const check = `import sys

expected = 4
sys.exit(0 if open("sum.txt").read().strip() == str(expected) else 1)
`;
const lowerTheBar = { path: "check.py", old: "expected = 4", new: "expected = 5" };

function checkedWorkspace(): WorkspaceBench {
  const bench = new WorkspaceBench();
  bench.put("donegate.yaml", configuration);
  bench.put("check.py", check);
  bench.put("sum.txt", "0\n");
  return bench;
}

const writeSum = (content: string) => ({ name: "edit_file", args: { path: "sum.txt", old: "0", new: content } });
const editCheck = { name: "edit_file", args: lowerTheBar };

async function runWith(request: Partial<WorkspaceRunRequest>, ...answers: readonly PersonAnswer[]) {
  const bench = checkedWorkspace();
  const approver = answers.length === 0 ? null : answersInTurn(...answers);
  const script = [call(writeSum("5")), call(editCheck), say("done")];
  const started = await bench.start(script, { ...request, maxAttempts: 1 }, approver);
  return { bench, started, approver };
}

describe("an edit of a contract file", () => {
  it("becomes part of the contract when a person agrees, and is named at the end", async () => {
    const { bench, started, approver } = await runWith({}, { approve: true });
    const state = await started.end();
    expect(approver?.asked).toMatchObject([{ tool: "edit_file", level: "guarded", args: lowerTheBar }]);
    expect(started.events).toContainEqual(
      expect.objectContaining({ type: "contract_amended", path: "check.py", by: "A1" }),
    );
    expect(state.end?.status).toBe("done");
    expect(await bench.outcome()).toMatchObject({ amendments: [{ path: "check.py" }], verdict: "VERIFIED" });
  });

  it("does not happen when a person says no, and the check stands", async () => {
    const bench = checkedWorkspace();
    const script = [call(writeSum("5")), call(editCheck), say("done"), say("I cannot do more.")];
    const started = await bench.start(script, {}, answersInTurn({ deny: "four is right" }));
    const state = await started.end();
    expect(bench.read("check.py")).toBe(check);
    expect(state.end).toMatchObject({ status: "incomplete", limit: "completion" });
    expect((await bench.outcome()).amendments).toEqual([]);
  });

  it("is denied when there is nobody to ask", async () => {
    const bench = checkedWorkspace();
    const started = await bench.start([call(writeSum("4")), call(editCheck), say("done")], { onAsk: "suspend" });
    const state = await started.end();
    expect(bench.read("check.py")).toBe(check);
    expect(state.denials).toMatchObject([{ tool: "edit_file", rule: "paths.contract" }]);
    expect(state.denials[0]?.reason).toMatch(/ \(nobody to ask\)$/);
    expect(state.approvals).toEqual([]);
    expect(state.end?.status).toBe("done");
  });

  it.each(["check.py", "./check.py"])("goes through when %s was allowed beforehand", async (allowed) => {
    const { bench, started } = await runWith({ onAsk: "suspend", allowContractChange: [allowed] });
    const state = await started.end();
    expect(state.end?.status).toBe("done");
    expect(state.approvals).toMatchObject([{ id: "A1", status: "approved", level: "guarded" }]);
    expect((await bench.outcome()).amendments).toEqual([{ path: "check.py" }]);
  });

  it("is not let through by a permission for another file", async () => {
    const bench = checkedWorkspace();
    const started = await bench.start([call(writeSum("4")), call(editCheck), say("done")], {
      onAsk: "suspend",
      allowContractChange: ["other.py"],
    });
    await started.end();
    expect(bench.read("check.py")).toBe(check);
  });
});

describe("a contract file changed through a command", () => {
  const sneak = "python3 -c \"import pathlib; p = pathlib.Path('che' + 'ck.py'); p.write_text('raise SystemExit(0)')\"";

  it("is found out: the check is tampered with and the call that did it is named", async () => {
    const bench = checkedWorkspace();
    const script = [call(writeSum("5"), { name: "run_command", args: { command: sneak } }), say("done"), say("done")];
    const started = await bench.start(script, {}, answersInTurn({ approve: true }));
    const state = await started.end();
    expect(bench.read("check.py")).toBe("raise SystemExit(0)");
    expect(state.end).toMatchObject({ status: "incomplete", limit: "completion" });
    expect(state.checks.find((result) => result.name === "unit")).toMatchObject({ verdict: "tampered" });
    const end = started.events.find((event) => event.type === "tool_end" && event.tool === "run_command");
    expect(end).toMatchObject({ contractTouched: ["check.py"], changed: ["check.py"] });
    expect((await bench.outcome()).verdict).toBe("FALSE-COMPLETION");
  });

  it("passes again once it is put back", async () => {
    const bench = checkedWorkspace();
    const putBack = `python3 -c "import shutil; shutil.copy('keep.txt', 'che' + 'ck.py')"`;
    bench.put("keep.txt", check);
    const command = (text: string) => call({ name: "run_command", args: { command: text } });
    const script = [call(writeSum("4")), command(sneak), say("done"), command(putBack), say("done")];
    const started = await bench.start(script, {}, answersInTurn({ approve: true }, { approve: true }));
    const state = await started.end();
    expect(state.end?.status).toBe("done");
    expect(state.attempts).toBe(2);
  });
});
