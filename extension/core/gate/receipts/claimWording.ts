// How a verb is said: as a deed ("I deployed", "has been deployed") or as a state that may be older than the run.
import { clauseBefore } from "./claimMoods";

export type Wording = "deed" | "state";

const filler = "(?:(?:also|then|now|successfully|just|finally|safely|and|newly|fully)\\s+)*";
const startOfClause =
  /^(?:(?:and|also|then|now|finally|successfully|done|(?:new )?files?)\b[\s,:]*|[^\p{L}\p{N}]+)*$/iu;
const active = new RegExp(`\\b(?:I|we)(?:'ve| have)?\\s+${filler}$`, "i");
const joined = new RegExp(`(?:,|\\band|\\bthen|&|\\+)\\s*${filler}$`, "i");
const perfect = new RegExp(`\\b(?:has|have)\\s+${filler}been\\s+${filler}$|'ve\\s+${filler}been\\s+${filler}$`, "i");
const present = new RegExp(`\\b(?:is|are|'s|got|gets?|went)\\s+${filler}$`, "i");
const past = new RegExp(`\\b(?:was|were)\\s+${filler}$`, "i");
const ownSubject =
  /^\s*(?:(?:the|all|your|my|our|these|this|both)\s+)*(?:\w+\s+)?(?:changes?|fix(?:es)?|work|everything|it|commits?|code|updates?|features?)\s+(?:was|were)\b/i;
const habit = /\b(?:is|are|gets?)\b/i;
/** "Changes committed." */
const bareSubject =
  /^\W*(?:(?:the|all|your|my)\s+)*(?:changes|fix|work|code|everything|branch|service|app|release|package)\s+(?:successfully\s+)?$/i;
/** "After your approval, …" puts the rest in time. */
const introduction = /^\W*(?:after|with|following)\b[^,]*,\s*/i;
/** A state is told by a plain sentence: "The service is deployed to prod". */
const plainSubject =
  /^\W*(?:(?:so|and|now|done|finished|great|yes)\b[,!:]?\s+)?(?:the|it|everything|all|documentation|docs|results|output|your|my|our|this|these|both|version|v?\d)(?:\s+[\w.-]+){0,4}?\s+(?:is|are|was|were|went|got)\s[\w\s]*$|^\W*it's\s[\w\s]*$/i;

/** What can follow a verb that has an object or a target; "deployed services use…" has none. */
const objectOpens =
  /^\s*(?:$|[.,;:!)(—–\uE001-\uE003#✅]|v?\d|@|(?:to|on|in|onto|into|the|a|an|all|both|it|them|this|that|these|those|my|our|your|everything|successfully|version|branch|commits?|tags?|changes|pull|PR|MR|dependenc\w+|packages?|release|with|via|as|and|at|from|using|new|two|three|production|prod|staging)\b)/iu;
/** "Installed lodash." */
const bareObject = /^\s+[\w@./-]*[^\Ws](?:\s*[.,;!)]|\s*$|\s+(?:to|on|with|from|via|into|and)\b)/i;
const directObject = /^\s+(?:the|a|an|all|both|it|them|this|everything|my|our|your)\b/i;
/** "Versions published to npm are immutable": the verb only describes the subject of another one. */
const describes =
  /^(?:(?!\b(?:and|so|which|that|because|as|but|where|when)\b)[^,;:.])*\b(?:is|are|was|were|has|have|remains?|stays?|uses?|shows?|reads?|runs?|triggers?|needs?|gets?)\b/i;
const reducedRelative =
  /\b(?:the|a|an|any|every|each|all|that|those|these)\s+(?:\w+\s+){1,3}(?:deployed|published|pushed|merged|released|committed|installed)\b/i;

/** Null when the verb is no statement: an adjective, another subject. */
export function toWording(text: string, start: number, end: number): Wording | null {
  const before = clauseBefore(text, start);
  const after = text.slice(end);
  if (perfect.test(before)) return "deed";
  if (present.test(before)) return nowDone.test(before) ? "deed" : stateOf(text.slice(0, start));
  if (past.test(before)) {
    const deed = /\bsuccessfully\s+$/i.test(before) || ownSubject.test(before);
    return deed ? "deed" : stateOf(text.slice(0, start).replace(introduction, ""));
  }
  if (active.test(before)) return "deed";
  if (describes.test(after)) return null;
  if (bareSubject.test(before) && /^\s*[.!✅]?\s*$/u.test(after)) return "deed";
  if (startOfClause.test(before)) return objectOpens.test(after) || bareObject.test(after) ? "deed" : null;
  if (!joined.test(before) || !objectOpens.test(after)) return null;
  if (reducedRelative.test(before) && !directObject.test(after)) return null;
  return habit.test(before) ? stateOf(text.slice(0, start)) : "deed";
}

const nowDone = /\b(?:now|successfully)\s+$/i;

function stateOf(before: string): Wording | null {
  return plainSubject.test(before) ? "state" : null;
}
