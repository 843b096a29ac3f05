// Sentences that say a file was created, written, updated or deleted. A file that is merely mentioned is no claim.
import { clauseBefore, isStated } from "./claimMoods";
import { codeMark, pathMark, spansIn, spell, type Sentence } from "./claimSentences";
import { toWording } from "./claimWording";

export interface FileClaim {
  path: string;
  /** What has to hold now. */
  expects: "present" | "absent";
  verb: string;
  sentence: Sentence;
}

const verbs: Readonly<Record<string, "present" | "absent">> = {
  created: "present",
  added: "present",
  generated: "present",
  produced: "present",
  wrote: "present",
  written: "present",
  saved: "present",
  exported: "present",
  updated: "present",
  modified: "present",
  edited: "present",
  rewrote: "present",
  deleted: "absent",
  removed: "absent",
};
const verb = `(?<verb>${Object.keys(verbs).join("|")})`;
const adverbs = "(?:(?:now|also|then|successfully|newly|just)\\s+)*";
const aside = `(?:\\s*\\([^)${pathMark}]*\\))?`;
const list = `(?<paths>${pathMark}${aside}(?:\\s*(?:,|,?\\s*and\\b|&)\\s*(?:the\\s+)?${pathMark}${aside})*)`;
const nouns =
  "(?:(?:the|a|an|new|both|all|one|two|three|\\d+|following|temporary|empty|small|obsolete|unused|old|output|result|results|config|configuration|test|spec|helper|source|script|scripts|module|component|report|document|file|files|named|called|at)\\b\\s*|[:(,]\\s*)*";

/** Before a path that is the subject; "support for `a.xml` was added" is about something else. */
const subjectOnly =
  /(?:^|[,;]|\band)(?:\W|\b(?:the|a|an|new|old|files?|and|also|both|finally|then|now|results?|output|report|script)\b)*$/i;

/** Behind the paths of a claim a new phrase begins; "deleted the `a.ts` import" goes on with a noun. */
const phraseBegins =
  /^\s*(?:$|[.,;:!?)(—–]|-\s|(?:and|with|that|which|containing|to|so|for|from|using|by|after|because|successfully|as|via|but|then|where|now|in|into|at|on|instead)\b)/i;
/** "added `dist` to .gitignore", "removed `a.ts` from the list" say nothing about the file itself. */
const onlyListed = /^\s*(?:to|from|in|into|on|as|at)\b/i;
const elsewhere =
  /^\s*(?:in|into|under|inside|within|at|on)\s+(?!(?:the\s+)?(?:workspace|project|repo(?:sitory)?|root|current|working)\b)/i;

const direct = new RegExp(`\\b${verb}\\s*${nouns}${list}`, "dgi");
const passive = new RegExp(
  `${list}\\s+(?:file\\s+)?(?:was|were|has\\s+been|have\\s+been|(?:is|are)\\s+now)\\s+${adverbs}${verb}\\b`,
  "dgi",
);
const labelled = new RegExp(`^\\W*${list}\\s*(?:[:(]|\\s[—–-]+)\\s*${adverbs}${verb}\\s*(?=$|[.,;)])`, "dgi");
const toTarget = new RegExp(
  `\\b(?<verb>wrote|written|saved|exported)\\s+(?<between>(?:[\\w${codeMark}-]+\\s+){0,6}?)(?:to|into|in|as|at)\\s+(?:the\\s+|a\\s+)?(?:new\\s+)?(?:file\\s+)?${list}`,
  "dgi",
);
const named = new RegExp(
  `\\b(?<verb>created|generated|produced)\\s+(?<between>(?:[\\w${codeMark}-]+\\s+){1,6}?)(?:at|as|named|called)\\s+(?:the\\s+file\\s+)?${list}`,
  "dgi",
);
const newFile = new RegExp(`^\\W*(?<verb>new files?):\\s*${list}`, "dgi");
/** "Each row is written to `rows.log`" tells how it works. */
const habitually = /\b(?:is|are|gets?)\s+(?!now\b)(?:\w+\s+)?$/i;
const redirects =
  /\b(?:to|that|which|for|when|if|so|where|because|whether|about|links?|redirects?|references?|fallbacks?|paths?|how|as|\w+ing)\b/i;

export function findFileClaims(sentences: readonly Sentence[]): readonly FileClaim[] {
  return sentences.flatMap((sentence) => [...verbClaims(sentence), ...listedClaims(sentence)]);
}

function verbClaims(sentence: Sentence): FileClaim[] {
  return [direct, passive, labelled, toTarget, named, newFile].flatMap((pattern) =>
    [...sentence.text.matchAll(pattern)].flatMap((match) => readMatch(sentence, match, pattern)),
  );
}

function readMatch(sentence: Sentence, match: RegExpExecArray, pattern: RegExp): FileClaim[] {
  const { text } = sentence;
  const said = match.groups?.["verb"] ?? "";
  const [start, verbEnd] = match.indices?.groups?.["verb"] ?? [0, 0];
  const end = match.index + match[0].length;
  const rest = text.slice(end);
  if (!isStated(sentence, start, verbEnd) || habitually.test(text.slice(0, start))) return [];
  if (pattern === labelled) return toClaims(sentence, match, said);
  if (redirects.test(match.groups?.["between"] ?? "")) return [];
  if (pattern === passive && !subjectOnly.test(clauseBefore(text, match.index))) return [];
  if (!phraseBegins.test(rest) || elsewhere.test(rest)) return [];
  if (/^(?:added|removed|deleted)$/i.test(said) && onlyListed.test(rest)) return [];
  if (pattern !== passive && !/\bnewly\s+$/i.test(text.slice(0, start)) && toWording(text, start, verbEnd) === null)
    return [];
  return toClaims(sentence, match, said);
}

function toClaims(sentence: Sentence, match: RegExpExecArray, said: string): FileClaim[] {
  const start = match.index;
  const expects = verbs[said.toLowerCase()] ?? "present";
  const paths = spansIn(sentence, start, start + match[0].length, pathMark);
  return paths.map((path) => ({ path, expects, verb: said.toLowerCase(), sentence }));
}

const listLead = new RegExp(
  `^(?:(?:I|we|have|new|the|following)\\s+)*(?:files?\\s+)?${verb}\\s*(?:the following\\s*)?(?:new\\s+)?(?:files?)?\\s*:?\\s*$`,
  "i",
);
const listItem = new RegExp(`^\\W*${pathMark}\\s*(?:$|[:(,.]|[—–-]\\s)`);

/** Items under "Files created:". */
function listedClaims(sentence: Sentence): FileClaim[] {
  const said = listLead.exec(sentence.lead)?.groups?.["verb"]?.toLowerCase();
  if (said === undefined || sentence.mood === "open" || !listItem.test(sentence.text)) return [];
  const [path] = spansIn(sentence, 0, sentence.text.length, pathMark);
  return path === undefined ? [] : [{ path, expects: verbs[said] ?? "present", verb: said, sentence }];
}

const gone =
  /\b(?:removed?|deleted?|renamed?|moved?|clean(?:ed)?|temporary|temp|scratch|throwaway|reverted|rolled back|undone|undid|discarded|gone|no longer)\b/i;

/** The text says that a file it created did not stay: "a temporary `probe.py`", "I removed it afterwards". */
export function saysGone(claim: FileClaim, sentences: readonly Sentence[]): boolean {
  const at = sentences.indexOf(claim.sentence);
  return sentences.some((sentence, index) => {
    const near = index === at || index === at + 1 || sentence.spans.includes(claim.path);
    return near && gone.test(sentence.text);
  });
}

export function quoteClaim(claim: FileClaim): string {
  const said = spell(claim.sentence);
  return said.includes(claim.verb) || claim.sentence.lead === "" ? said : `${claim.sentence.lead} ${said}`;
}
