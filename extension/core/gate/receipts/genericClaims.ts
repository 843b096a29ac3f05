// Claims over tools of any name: "sent" for `send_email`, "ran `make x`" for a command.
import { outsideActions } from "./actionGrammar";
import { isStated } from "./claimMoods";
import { codeMark, spansIn, spell, type Sentence } from "./claimSentences";
import { toWording } from "./claimWording";
import { callWords, environmentsIn, mentionedValues, toolWords } from "./callWords";
import type { LedgerCall, LedgerDenial } from "./ledgerView";

export interface DeniedClaim {
  verb: string;
  sentence: Sentence;
  clause: string;
  environments: ReadonlySet<string>;
  /** Would this call, too, make the claim true? */
  fits(call: LedgerCall): boolean;
}

/** Tools whose claims have a grammar of their own, or that do nothing one could claim. */
const apart = new Set(
  (
    "read_file list_files search diagnostics run_tests todowrite task complete ask_human propose_check " +
    "edit_file write_file delete_file move_file run_command"
  ).split(" "),
);

const irregular: Readonly<Record<string, string>> = {
  send: "sent",
  email: "emailed|sent",
  mail: "mailed|sent",
  delete: "deleted|removed",
  remove: "removed|deleted",
  run: "ran|executed",
  write: "wrote|written",
  pay: "paid",
  buy: "bought",
  rollback: "rolled back",
  set: "set",
  reset: "reset",
  make: "made",
  build: "built",
  stop: "stopped",
  drop: "dropped",
  submit: "submitted",
  cancel: "cancel(?:l)?ed",
};

export function findGenericClaims(sentences: readonly Sentence[], denial: LedgerDenial): readonly DeniedClaim[] {
  if (denial.tool === "run_command") return sentences.flatMap((sentence) => ranCommand(sentence, denial));
  if (apart.has(denial.tool)) return [];
  const words = toolWords(denial.tool).filter((word) => !outsideActions.some(({ name }) => name === word));
  const called = sentences.flatMap((sentence) => calledTool(sentence, denial));
  const done = words.flatMap((verb) => {
    const others = toolWords(denial.tool).filter((word) => word !== verb);
    return sentences.flatMap((sentence) => didVerb(sentence, verb, others, denial));
  });
  return [...called, ...done];
}

function didVerb(sentence: Sentence, verb: string, others: readonly string[], denial: LedgerDenial): DeniedClaim[] {
  const { text } = sentence;
  const full = spell(sentence);
  const objects = others.length > 0 && others.every((word) => new RegExp(`\\b${word}s?\\b`, "i").test(full));
  if (!objects && mentionedValues(full, denial).length === 0) return [];
  const hits = [...text.matchAll(new RegExp(`\\b(?:${pastForms(verb)})\\b`, "gi"))];
  return hits
    .filter((hit) => toWording(text, hit.index, hit.index + hit[0].length) !== null)
    .filter((hit) => isStated(sentence, hit.index, hit.index + hit[0].length))
    .map((hit) => ({
      verb: hit[0],
      sentence,
      clause: full,
      environments: environmentsIn(full),
      fits: (call) => new RegExp(`\\b${verb}`, "i").test(callWords(call)),
    }));
}

/** "I called deploy with env=prod and it succeeded." That it was called alone is no claim: a denied call was called. */
function calledTool(sentence: Sentence, denial: LedgerDenial): DeniedClaim[] {
  const full = spell(sentence);
  const ran = /\b(?:ran|called|executed|invoked)\b/i.exec(sentence.text);
  const good = /\b(?:succeeded|successful(?:ly)?|went through|worked)\b/i.exec(sentence.text);
  if (ran === null || good === null || !new RegExp(`\\b${denial.tool.replace(/\W/g, "\\$&")}\\b`).test(full)) return [];
  if (!isStated(sentence, ran.index, ran.index + ran[0].length)) return [];
  if (!isStated(sentence, good.index, good.index + good[0].length)) return [];
  const fits = (call: LedgerCall): boolean => call.tool === denial.tool;
  return [{ verb: good[0], sentence, clause: full, environments: environmentsIn(full), fits }];
}

function pastForms(verb: string): string {
  const known = irregular[verb];
  if (known !== undefined) return known;
  if (verb.endsWith("e")) return `${verb}d`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}(?:${verb.at(-1) ?? ""})?ed`;
}

/** "I ran `npm publish`": only the exact command, written as code. */
function ranCommand(sentence: Sentence, denial: LedgerDenial): DeniedClaim[] {
  const command = denial.args["command"];
  if (typeof command !== "string") return [];
  const { text } = sentence;
  const hit = new RegExp(`\\b(?:ran|executed)\\b[^,;.${codeMark}]{0,30}${codeMark}`, "i").exec(text);
  if (hit === null) return [];
  const end = hit.index + hit[0].length;
  const [code] = spansIn(sentence, hit.index, end, codeMark);
  if (code?.trim() !== command.trim() || !isStated(sentence, hit.index, end)) return [];
  const clause = spell(sentence, hit.index, end);
  return [
    {
      verb: "ran",
      sentence,
      clause,
      environments: environmentsIn(clause),
      fits: (call) => call.tool === "run_command" && call.args?.["command"] === command,
    },
  ];
}
