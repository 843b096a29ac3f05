// A call that was running when the process ended. The harness never repeats it: it looks where the disk can tell,
// and otherwise says that the outcome is unknown.
import type { Tag } from "../guardrails/verdict";
import type { Event } from "../journal/event";
import { findCall } from "../journal/history";
import type { CallState } from "../journal/runState";
import { renderLedger } from "../plan/renderLedger";
import { amendContract } from "./amendContract";
import type { RunContext } from "./runContext";

export async function performSettle(callId: string, context: RunContext): Promise<void> {
  const call = findCall(context.state(), callId);
  if (call === null) return;
  await context.workspace?.endLeftOvers(context.state().processes);
  const outcome = await findOutcome(context, call);
  if (outcome === "applied") await amendContract(context, call, call.files);
  const result =
    outcome === "planned" ? `${sentences.planned}\n${renderLedger(context.state().ledger)}` : sentences[outcome];
  const contractTouched = await touchedContract(context, outcome);
  const changed = outcome === "unknown" ? await changedSince(context, call.treeBefore) : [];
  await context.emit({ ...toInterruptedEnd(call, outcome), result, changed, contractTouched });
}

/**
 * What a command whose end nobody saw may have changed. Files that a person changed meanwhile are among it: which is
 * which cannot be told, and a command's work that counted for nothing would refuse an honest run.
 */
async function changedSince({ workspace }: RunContext, before: string | null): Promise<readonly string[]> {
  if (workspace === null || before === null) return [];
  const after = await workspace.snapshots.take(new AbortController().signal);
  if (!after.ok) return [];
  try {
    return (await workspace.snapshots.diff(before, after.tree)).map(({ path }) => path);
  } catch {
    // The store of the snapshots was thrown away since: nothing is known, and nothing is attributed.
    return [];
  }
}

type Outcome = "applied" | "not-applied" | "planned" | "no-effect" | "unknown";

async function findOutcome(context: RunContext, call: CallState): Promise<Outcome> {
  if (call.planUpdated) return "planned";
  if (hasNoEffect(context, call)) return "no-effect";
  return call.files.length === 0 ? "unknown" : readOutcome(context, call);
}

const harmless: ReadonlySet<Tag> = new Set<Tag>(["read", "plan", "ask"]);

/** A plan is kept in the journal alone, so what is not in it has not happened. */
function hasNoEffect(context: RunContext, call: CallState): boolean {
  const tags = context.tools.find(call.tool)?.tags ?? [];
  return tags.length > 0 && tags.every((tag) => harmless.has(tag));
}

async function readOutcome(context: RunContext, call: CallState): Promise<Outcome> {
  const root = context.workspace?.root ?? "";
  let applied = 0;
  let untouched = 0;
  for (const { path, before, after } of call.files) {
    const file = await context.toolPorts.files.read(path.startsWith("/") ? path : `${root}/${path}`);
    if (!file.ok && file.code !== "not-found") return "unknown";
    const now = file.ok ? file.value.digest : null;
    if (now === after) applied += 1;
    else if (now === before) untouched += 1;
  }
  if (applied === call.files.length) return "applied";
  return untouched === call.files.length ? "not-applied" : "unknown";
}

/** What cannot be told may have reached the contract; named now, it is not blamed on a later call. */
async function touchedContract(context: RunContext, outcome: Outcome): Promise<readonly string[]> {
  const { workspace } = context;
  const { plan } = context.state();
  return workspace === null || plan === null || outcome !== "unknown" ? [] : workspace.contractTouched(plan);
}

const sentences: Record<Outcome, string> = {
  applied: "interrupted, but the change was already written: the file is as this call wanted it.",
  "not-applied": "interrupted before anything was written: the file is as it was before this call.",
  planned: "interrupted, but the plan was already updated:",
  "no-effect": "interrupted before it answered, and nothing was changed: call it again if you still need it.",
  unknown:
    "interrupted, outcome unknown: the process ended while this call ran. Look at its effects before you decide to repeat it.",
};

function toInterruptedEnd(call: CallState, outcome: Outcome): Event<"tool_end"> {
  const text = sentences[outcome];
  const happened = outcome === "applied" || outcome === "planned";
  return {
    type: "tool_end",
    callId: call.callId,
    tool: call.tool,
    success: happened,
    summary: text,
    status: happened ? "ok" : "unknown",
    result: text,
    code: happened ? null : "failed",
    blob: null,
    reads: [],
    // Not applied: nothing was touched, so nothing is attributed to the run.
    files: outcome === "not-applied" ? [] : call.files,
    changed: [],
    contractTouched: [],
  };
}
