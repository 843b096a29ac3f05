// How a run begins: the goal and what was frozen with it.
import type { RunSpec } from "../../core/journal/event";
import type { EntryOf } from "../../protocol/transcriptEntry";
import type { Stamped } from "./transcriptDrafts";
import { showExact, showLine, showProse } from "./transcriptText";

type Fact = EntryOf<"goal">["facts"][number];

export function toGoal(event: Stamped<"agent_start">): EntryOf<"goal"> {
  const facts: readonly (Fact | null)[] = [
    { name: "Model", value: showLine(`${event.model} at ${event.endpoint}`, 200) },
    event.root === null ? null : { name: "Folder", value: showExact(event.root) },
    event.kind === "auto" ? null : { name: "Kind", value: event.kind },
    { name: "Gate", value: toGateFact(event.completion) },
    event.config === null ? null : { name: "Configuration", value: toConfigFact(event.config) },
  ];
  return {
    kind: "goal",
    key: `goal:${event.seq}`,
    at: Date.parse(event.ts),
    goal: showProse(event.goal),
    facts: facts.filter((fact) => fact !== null),
  };
}

function toGateFact(completion: RunSpec["completion"]): string {
  if (completion === null) return "off: nothing decides about done, and nothing is shown verified";
  return `at most ${completion.maxAttempts} ${completion.maxAttempts === 1 ? "attempt" : "attempts"}`;
}

function toConfigFact({ path, acceptedBy }: NonNullable<RunSpec["config"]>): string {
  const who = acceptedBy === null ? "only its denials, questions and limits count" : `accepted by ${acceptedBy}`;
  return showLine(`${path}, ${who}`, 300);
}

export function toFrozen({ plan, seq, ts }: Stamped<"plan_frozen">): EntryOf<"frozen"> {
  return {
    kind: "frozen",
    key: `frozen:${seq}`,
    at: Date.parse(ts),
    checks: plan.checks.map(({ name, run, provenance }) => ({
      name: showExact(name),
      command: showExact(typeof run === "string" ? run : run.map(quoteWord).join(" ")),
      provenance: showExact(provenance),
    })),
    structural: plan.require,
    warnings: plan.warnings.map((warning) => showLine(warning, 400)),
    digest: plan.digest.slice(0, 12),
  };
}

const quoteWord = (word: string): string => (/^[\w./:=@-]+$/.test(word) ? word : JSON.stringify(word));
