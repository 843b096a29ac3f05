// Which piece is drawn by what. A kind without a drawing does not compile.
import type { ComponentType, JSX } from "preact";
import { memo } from "./memo";
import type { EntryOf, TranscriptEntry, TranscriptEntryKind } from "../../extension/protocol/transcriptEntry";
import { ApprovalCard } from "./approvalCard";
import { CallEntry } from "./callEntry";
import { EndEntry } from "./endEntry";
import { GateEntry } from "./gateEntry";
import { FrozenEntry, GoalEntry } from "./openingEntries";
import { SayEntry } from "./sayEntry";
import { MessageEntry, NoteEntry, PlanEntry, RetryEntry } from "./smallEntries";

const drawings: { readonly [K in TranscriptEntryKind]: ComponentType<{ entry: EntryOf<K> }> } = {
  goal: GoalEntry,
  frozen: FrozenEntry,
  say: SayEntry,
  call: CallEntry,
  plan: PlanEntry,
  approval: ({ entry }) => <ApprovalCard approval={entry.approval} />,
  gate: GateEntry,
  retry: RetryEntry,
  message: MessageEntry,
  note: NoteEntry,
  end: EndEntry,
};

export const EntryView = memo(({ entry }: { entry: TranscriptEntry }): JSX.Element => {
  const Drawing = drawings[entry.kind] as ComponentType<{ entry: TranscriptEntry }>;
  return <Drawing entry={entry} />;
});

const decisions: ReadonlySet<TranscriptEntryKind> = new Set(["goal", "plan", "approval", "gate", "message", "end"]);

/** What was decided, by whom: the transcript without the work. */
export function isDecision(entry: TranscriptEntry): boolean {
  if (entry.kind === "call")
    return entry.denial !== null || entry.approval !== null || entry.contractTouched.length > 0;
  if (entry.kind === "say") return entry.isFinal;
  if (entry.kind === "note") return entry.tone === "bad" || entry.tone === "ask";
  return decisions.has(entry.kind);
}
