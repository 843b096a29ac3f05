import type { Outcome } from "../core/journal/toOutcome";
import { escapeLines, escapeShort, escapeText, shortArgs } from "./escapeText";
import { tellApproval } from "./storyApproval";
import { asking, bad, good, plain, quiet, type StoryLine } from "./storyLine";
import { tellTodos } from "./storyTodos";

const mostReasonLines = 4;

/**
 * The last words of a run: how it ended, why, what is proven, what waits, where the journal lies.
 * `shown`: ids of approvals that were shown before with all their arguments.
 */
export function tellOutcome(outcome: Outcome, shown: ReadonlySet<string>): readonly StoryLine[] {
  const { status, verdict, evidence, stale } = outcome;
  const isGood = status === "done";
  const [why = "", ...rest] = tellReason(outcome);
  const tone = isGood ? good : status === "pending" ? asking : bad;
  return [
    plain(""),
    tone(`Status: ${status ?? "none"}${outcome.review ? " [needs-human-review]" : ""}: ${why}`),
    ...rest.map((line) => tone(`  ${line}`)),
    ...outcome.reasons.slice(1).map((reason) => tone(`  also: ${escapeShort(reason, 300)}`)),
    (verdict === "VERIFIED" ? good : plain)(
      `Verdict: ${verdict}${verdict === "VERIFIED" ? ` (evidence: ${evidence})` : ""}`,
    ),
    ...(stale === true ? [bad("Stale: the files are no longer as they were when they were judged")] : []),
    ...(outcome.sealed ? [] : [bad("Not sealed: part of the journal cannot be vouched for")]),
    ...tellTodos(outcome.plan),
    ...tellDenials(outcome),
    ...tellWaiting(outcome, shown),
    ...outcome.amendments.map(({ path }) => asking(`Contract amended: ${escapeText(path)}`)),
    quiet(
      `${outcome.turns} turn(s), ${outcome.toolCalls} tool call(s), ${outcome.attempts} attempt(s), ${outcome.tokens.input} + ${outcome.tokens.output} tokens${outcome.cost === null ? "" : `, cost ${outcome.cost.toFixed(4)}`}`,
    ),
    ...tellJournal(outcome),
  ];
}

/** The first lines of why it ended; often they quote a check's whole output. */
function tellReason({ stoppedBy }: Outcome): readonly string[] {
  const lines = escapeLines(stoppedBy ?? "", Number.MAX_SAFE_INTEGER);
  if (lines.length <= mostReasonLines + 1) return lines;
  const left = lines.length - mostReasonLines;
  return [
    ...lines.slice(0, mostReasonLines),
    `(${left} more lines: donegate journal show FILE --json has all of them)`,
  ];
}

function tellDenials({ denials }: Outcome): StoryLine[] {
  if (denials.length === 0) return [];
  return [
    plain(`Denied: ${denials.length}`),
    ...denials
      .slice(0, 20)
      .map(({ tool, args, rule, reason }) =>
        quiet(`  ${escapeText(tool)} ${shortArgs(args, 60)}: ${escapeShort(reason, 160)} [${escapeText(rule)}]`),
      ),
  ];
}

function tellWaiting({ pendingApprovals, status }: Outcome, shown: ReadonlySet<string>): StoryLine[] {
  if (status !== "pending") return [];
  return pendingApprovals
    .filter((approval) => !shown.has(approval.id))
    .flatMap((approval) => tellApproval({ ...approval, kind: isQuestion(approval) ? "question" : "call" }));
}

/** Where it lies; while something waits, as the command that answers, to be copied. */
function tellJournal({ pendingApprovals, journal, status }: Outcome): StoryLine[] {
  if (journal === null) return [];
  const [first, ...others] = pendingApprovals.map(toAnswers);
  if (status !== "pending" || first === undefined) return [plain(`Journal: ${escapeText(journal)}`)];
  const [answer, ...instead] = first;
  return [
    plain(`To go on: donegate resume --journal ${quoteWord(journal)} ${answer}`),
    ...instead.map((other) => plain(`  or instead: ${other}`)),
    ...others.map((answers) => plain(`  in the same command, if you like: ${answers.join(", or ")}`)),
  ];
}

type Waiting = Outcome["pendingApprovals"][number];

const isQuestion = ({ tool }: Waiting): boolean => tool === "ask_human";

function toAnswers(approval: Waiting): readonly [string, ...string[]] {
  const { id } = approval;
  return isQuestion(approval)
    ? [`--answer ${id} "your answer"`]
    : [`--approve ${id}`, `--deny ${id} --reason "why not"`];
}

function quoteWord(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${escapeText(word).replaceAll("'", "'\\''")}'`;
}
