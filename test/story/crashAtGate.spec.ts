// The command line is killed where a person is asked or the gate judges, and resumed in a new process.
import { describe, it } from "vitest";
import { useKillingCli } from "../support/killingCliBench";
import { expectRecovery, tellings, type CrashPoint } from "../support/killingCliStory";

const program = useKillingCli();
const gate = { callId: null };

const points: Record<string, CrashPoint> = {
  // The next resume brings the answer.
  "while an approval waits": { kills: [{ type: "approval_requested" }], resumes: 2 },
  "after the approval was given": { kills: [{ type: "approval_resolved", where: { id: "A3" } }] },
  "inside the gate's check": { kills: [{ type: "process_started", where: gate }] },
  "inside the check that the model asked for": {
    kills: [{ type: "check_end", when: "before", where: { attempt: null } }],
    expected: { recoveries: 1 },
    told: { tool: "run_tests", results: [tellings.unknown] },
  },
  "after a verification_end that failed": { kills: [{ type: "verification_end", where: { passed: false } }] },
  "after a verification_end that passed": { kills: [{ type: "verification_end", where: { passed: true } }] },
  "twice in a row": {
    kills: [{ type: "verification_start" }, { type: "process_started", where: gate }],
  },
};

describe("a story killed at the gate or at an approval", () => {
  it.each(Object.entries(points))("ends as if nothing had happened: %s", { timeout: 120_000 }, (_name, point) =>
    expectRecovery(program, point),
  );
});
