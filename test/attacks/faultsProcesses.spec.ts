// A sample of the fault campaign with real processes: the command line plays the forty turns and is killed by SIGKILL again
// and again, each time in another kind of moment, and resumed in a new process. Commands that it started go on without it.
import { expect, it } from "vitest";
import { campaignFiles, campaignTurns, playCampaign } from "../support/campaignScript";
import { outcomeOf, smallBench, useKillingCli, type CliBench } from "../support/killingCliBench";
import type { KillAt } from "../support/killingCliPoint";

const program = useKillingCli();

const kills: Readonly<Record<string, readonly KillAt[]>> = {
  "around calls": [
    { type: "tool_start", where: { tool: "run_command" } },
    { type: "tool_start", nth: 2, where: { tool: "edit_file" } },
    { type: "tool_end", when: "before", where: { tool: "deploy" } },
    { type: "tool_end", when: "before", where: { tool: "edit_file" } },
    { type: "process_started", where: { callId: null } },
    { type: "tool_end", when: "before", where: { tool: "run_command" } },
  ],
  "around replies, answers and verdicts": [
    { type: "plan_frozen", when: "before" },
    { type: "model_reply", nth: 4 },
    { type: "approval_resolved" },
    { type: "verification_end", where: { passed: false } },
    { type: "todos_updated", when: "before" },
    { type: "verification_end", where: { passed: true } },
  ],
};

interface End {
  outcome: object;
  files: Readonly<Record<string, string>>;
}

async function play(points: readonly KillAt[]): Promise<{ killed: number; end: End }> {
  const bench = await smallBench(program, playCampaign, campaignFiles);
  const exits = await bench.playOut("Do the work.", points, () => null);
  const last = exits.at(-1);
  if (last === undefined) throw new Error("nothing ran");
  expect(last, last.err).toMatchObject({ code: 0 });
  return {
    killed: exits.filter(({ signal }) => signal === "SIGKILL").length,
    end: await endOf(bench, outcomeOf(last)),
  };
}

async function endOf(bench: CliBench, outcome: ReturnType<typeof outcomeOf>): Promise<End> {
  const starts = (await bench.events()).flatMap((event) => (event.type === "tool_start" ? [event.callId] : []));
  expect(starts).toEqual([...new Set(starts)]);
  const { status, limit, verdict, attempts, plan, sealed, checks } = outcome;
  const words = checks.map((check) => `${check.name} ${check.verdict}`);
  return { outcome: { status, limit, verdict, attempts, plan, sealed, checks: words }, files: bench.workspace.texts() };
}

it("killed in twelve moments, the forty turns end as those that nothing disturbed", { timeout: 300_000 }, async () => {
  const undisturbed = await play([]);
  expect(undisturbed.end.outcome).toMatchObject({ status: "done", verdict: "VERIFIED", attempts: 2, sealed: true });
  expect(undisturbed.end.files["effects.txt"]).toBe("c1\nc2\n");
  let survived = 0;
  for (const [name, points] of Object.entries(kills)) {
    const { killed, end } = await play(points);
    expect(killed, name).toBe(points.length);
    expect(end, name).toEqual(undisturbed.end);
    survived += killed;
  }
  process.stdout.write(`\nprocesses killed in runs of ${campaignTurns} turns: ${survived}, survived: ${survived}\n`);
});
