// The command line is killed in the middle of a turn of the story, and resumed in a new process.
import { describe, it } from "vitest";
import { useKillingCli } from "../support/killingCliBench";
import { expectRecovery, tellings, type CrashPoint } from "../support/killingCliStory";

const program = useKillingCli();
const { applied, denied, notApplied, unknown } = tellings;
const edit = { tool: "edit_file" };
const command = { tool: "run_command" };
const deploy = { tool: "deploy" };

const points: Record<string, CrashPoint> = {
  "never, only resumed to answer": { kills: [] },
  "after model_reply": { kills: [{ type: "model_reply", nth: 3 }] },
  "after tool_start of an edit": {
    kills: [{ type: "tool_start", where: edit }],
    expected: { recoveries: 1 },
    told: { tool: "edit_file", results: [denied, notApplied, /^Edited/] },
  },
  "after the edit was written": {
    kills: [{ type: "tool_end", when: "before", where: edit }],
    told: { tool: "edit_file", results: [denied, applied] },
  },
  "after tool_start of a command": {
    kills: [{ type: "tool_start", where: command }],
    expected: { recoveries: 1, commands: 0 },
    told: { tool: "run_command", results: [denied, unknown] },
  },
  "after the command ran": {
    kills: [{ type: "tool_end", when: "before", where: command }],
    expected: { recoveries: 1 },
    told: { tool: "run_command", results: [denied, unknown] },
  },
  "after the deploy ran": {
    kills: [{ type: "tool_end", when: "before", where: deploy }],
    expected: { recoveries: 1 },
    told: { tool: "deploy", results: [denied, unknown] },
  },
};

describe("a story killed in a turn", () => {
  it.each(Object.entries(points))("ends as if nothing had happened: %s", { timeout: 120_000 }, (_name, point) =>
    expectRecovery(program, point),
  );
});
