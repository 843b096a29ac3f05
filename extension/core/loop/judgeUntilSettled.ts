import type { CheckResult } from "../gate/checkResult";
import { toPath } from "./relativePath";
import { allHold, recordChecks, runAllChecks, unavailableCheck } from "./runAllChecks";
import type { RunContext } from "./runContext";

export interface Picture {
  digest: string | null;
  /** Why there is none although there should be. */
  failure: CheckResult | null;
}

export interface Judged {
  results: readonly CheckResult[];
  tree: string | null;
  treeAfter: string | null;
  /** What changed while all checks passed. */
  changedDuring: readonly string[];
}

/** Enough for checks that write what they always write; a tree that still changes then has no end. */
const mostRounds = 3;

/**
 * Checks that run in the workspace can change it, and so can the product while it is checked: a pass is a pass only for
 * a tree that was judged, so the changed tree is judged again until it stays as it is.
 */
export async function judgeUntilSettled(context: RunContext, start: Picture, signal: AbortSignal): Promise<Judged> {
  let judged = await judgeTree(context, start, signal);
  for (let round = 1; round < mostRounds && judged.changedDuring.length > 0 && !signal.aborted; round += 1) {
    const again = await judgeTree(context, { digest: judged.treeAfter, failure: null }, signal);
    // Nothing of this run's work changed, so somebody else did it: the first pass holds for the tree it judged, and is stale.
    if (!allHold(again.results) && !touchesOwnWork(context, judged.changedDuring)) {
      await recordChecks(context, judged.results);
      return bindToJudged(judged);
    }
    judged = again;
  }
  if (!touchesOwnWork(context, judged.changedDuring)) return bindToJudged(judged);
  const failure: CheckResult = {
    ...unavailableCheck(
      "settled tree",
      `the checks change the work each time they run: ${judged.changedDuring.join(", ")}`,
    ),
    verdict: "fail",
  };
  return { ...judged, results: [...judged.results, failure] };
}

/** What changed after it is not covered by the pass. */
function bindToJudged(judged: Judged): Judged {
  return judged.changedDuring.length === 0 ? judged : { ...judged, treeAfter: judged.tree };
}

async function judgeTree(context: RunContext, tree: Picture, signal: AbortSignal): Promise<Judged> {
  if (tree.failure !== null) return { results: [tree.failure], tree: null, treeAfter: null, changedDuring: [] };
  const results = await runAllChecks(context, tree.digest, signal);
  if (tree.digest === null) return { results, tree: null, treeAfter: null, changedDuring: [] };
  const after = await pictureTree(context, signal);
  if (after.failure !== null)
    return { results: [...results, after.failure], tree: tree.digest, treeAfter: null, changedDuring: [] };
  const changed =
    allHold(results) && after.digest !== null ? await pathsBetween(context, tree.digest, after.digest) : [];
  return { results, tree: tree.digest, treeAfter: after.digest, changedDuring: changed };
}

async function pathsBetween({ workspace }: RunContext, from: string, to: string): Promise<readonly string[]> {
  if (workspace === null || from === to) return [];
  return (await workspace.snapshots.diff(from, to)).map((change) => change.path);
}

function touchesOwnWork(context: RunContext, paths: readonly string[]): boolean {
  const root = context.workspace?.root ?? "";
  const own = new Set(context.state().touched.map((path) => toPath(root, path)));
  return paths.some((path) => own.has(path));
}

export async function pictureTree(context: RunContext, signal: AbortSignal): Promise<Picture> {
  if (context.workspace === null) return { digest: null, failure: null };
  const picture = await context.workspace.snapshots.take(signal);
  if (picture.ok) return { digest: picture.tree, failure: null };
  return { digest: null, failure: unavailableCheck("snapshot", picture.message) };
}
