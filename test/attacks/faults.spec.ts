// The fault campaign: a run of forty turns with edits, commands, an approval and two passages of the gate meets one fault
// at each boundary between two of its events, is resumed, and has to end as the run that nothing disturbed: status, plan,
// attempts, checks and every byte. Each call runs at most once; where the journal cannot say whether it ran, the model
// looks and repeats. DONEGATE_FAULTS=all tries every kind of fault at every boundary.
import { expect, it } from "vitest";
import { CampaignBench, serverFaults, type Checkpoint, type Ending, type FaultKind } from "../support/campaignBench";
import { campaignTurns } from "../support/campaignScript";

const atAnyEvent: readonly FaultKind[] = ["kill", "full disk", "reload", "changed by hand"];
const atRequests = Object.keys(serverFaults) as FaultKind[];
const tryAll = process.env["DONEGATE_FAULTS"] === "all";

interface Trial {
  at: Checkpoint;
  kind: FaultKind;
}

/** Every boundary meets one fault; those before a request of the model meet a fault of the server as well. */
function plan(checkpoints: readonly Checkpoint[]): Trial[] {
  const requests = checkpoints.filter(({ next }) => next === "model_reply");
  const rotate = (among: readonly FaultKind[], at: number): readonly FaultKind[] =>
    tryAll ? among : among.slice(at % among.length, (at % among.length) + 1);
  return [
    ...checkpoints.flatMap((at, index) => rotate(atAnyEvent, index).map((kind) => ({ at, kind }))),
    ...requests.flatMap((at, index) => rotate(atRequests, index).map((kind) => ({ at, kind }))),
  ];
}

/** Tries its share of the plan; answers one line for each fault that changed how the run ends. */
async function tryShare(lane: number, lanes: number): Promise<{ tried: Trial[]; lost: string[] }> {
  const bench = new CampaignBench();
  const { ending, checkpoints } = await bench.record();
  expectUndisturbed(bench, ending);
  const share = plan(checkpoints).filter((_trial, index) => index % lanes === lane);
  const lost: string[] = [];
  for (const { at, kind } of share) {
    const expected = kind === "changed by hand" ? bench.changedByHand(ending) : ending;
    try {
      expect(await bench.survive(at, kind)).toEqual(expected);
    } catch (error: unknown) {
      lost.push(`${kind} after line ${at.seq}, before ${at.next ?? "nothing"}: ${String(error)}`);
    }
  }
  return { tried: share, lost };
}

function expectUndisturbed(bench: CampaignBench, { outcome }: Ending): void {
  expect(campaignTurns).toBe(40);
  expect(bench.server.requests).toHaveLength(campaignTurns);
  expect(outcome).toMatchObject({ status: "done", verdict: "VERIFIED", attempts: 2, sealed: true });
}

it("ends as if nothing had happened, whatever fault it meets at whichever event", { timeout: 3_600_000 }, async () => {
  const lanes = 2;
  const shares = await Promise.all(Array.from({ length: lanes }, (_, lane) => tryShare(lane, lanes)));
  const tried = shares.flatMap((share) => share.tried);
  const lost = shares.flatMap((share) => share.lost);
  const counts = [...atAnyEvent, ...atRequests].map(
    (kind) => `${kind} ${tried.filter((trial) => trial.kind === kind).length}`,
  );
  // Straight to the terminal: what a passed test logs is not shown.
  process.stdout.write(
    `\nfaults tried: ${tried.length} (${counts.join(", ")}), survived: ${tried.length - lost.length}\n`,
  );
  expect(lost).toEqual([]);
  expect(tried.length).toBeGreaterThanOrEqual(300);
});
