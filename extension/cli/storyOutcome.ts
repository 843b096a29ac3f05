import type { Outcome } from "../core/journal/toOutcome";
import { escapeLines, escapeShort, escapeText, shortArgs } from "./escapeText";
import { tellApproval } from "./storyApproval";
import { asking, bad, good, plain, quiet, type StoryLine } from "./storyLine";
import { tellTodos } from "./storyTodos";

/** The last words of a run: how it ended, why, what is proven, what waits, where the journal lies. */
export function tellOutcome(outcome: Outcome): readonly StoryLine[] {
  const { status, stoppedBy, verdict, evidence, stale } = outcome;
  const isGood = status === "done";
  const [why = "", ...rest] = escapeLines(stoppedBy ?? "", 8);
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
    ...tellPending(outcome),
    ...outcome.amendments.map(({ path }) => asking(`Contract amended: ${escapeText(path)}`)),
    quiet(
      `${outcome.turns} turn(s), ${outcome.toolCalls} tool call(s), ${outcome.attempts} attempt(s), ${outcome.tokens.input} + ${outcome.tokens.output} tokens${outcome.cost === null ? "" : `, cost ${outcome.cost.toFixed(4)}`}`,
    ),
    ...(outcome.journal === null ? [] : [plain(`Journal: ${escapeText(outcome.journal)}`)]),
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

/** How to answer; the words can be copied. */
function tellPending({ pendingApprovals, journal, status }: Outcome): StoryLine[] {
  if (status !== "pending" || journal === null) return [];
  const resume = `donegate resume --journal ${quoteWord(journal)}`;
  return pendingApprovals.flatMap((approval) => {
    const isQuestion = approval.tool === "ask_human";
    const answers = isQuestion
      ? [`  ${resume} --answer ${approval.id} "your answer"`]
      : [`  ${resume} --approve ${approval.id}`, `  ${resume} --deny ${approval.id} --reason "why not"`];
    return [
      ...tellApproval({ ...approval, kind: isQuestion ? "question" : "call" }),
      ...answers.map((line) => plain(line)),
    ];
  });
}

function quoteWord(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${escapeText(word).replaceAll("'", "'\\''")}'`;
}
