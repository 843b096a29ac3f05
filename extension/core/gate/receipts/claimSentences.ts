// A final text as sentences. Code blocks, quotations and struck-out text say nothing; inline code and file names become
// one placeholder character each, so that the grammar reads prose only.
import { emptiesHeading, markOf, moodOfHeading, moodOfLead, neutralPhrases, takesBack, type Mood } from "./claimMoods";
import { toPath } from "./claimPath";
import { toBlocks, type Block } from "./textBlocks";

export const pathMark = "\uE001";
export const codeMark = "\uE002";
const quoteMark = "\uE003";
/** Characters. What runs on for longer is a dump, not a sentence, and would make the grammar slow. */
const longestSentence = 2_000;
const anyMark = /[\uE001-\uE003]/g;

export interface Sentence {
  /** Prose with one placeholder for each span. */
  text: string;
  spans: readonly string[];
  /** `open`: said of what is not done, such as the items under "Next steps:". `done`: ticked off. */
  mood: Mood;
  /** The line that introduces the list or section this stands in. */
  lead: string;
  /** The next sentence takes it back: "It was denied." */
  takenBack: boolean;
}

export function toSentences(text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let heading: Lead = { text: "", mood: "plain", indent: -1 };
  let lead = heading;
  let itemLead: Lead | null = null;
  const blocks = toBlocks(text.replace(anyMark, " "));
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== "item") itemLead = null;
    const nested: Lead | null = itemLead !== null && block.indent > itemLead.indent ? itemLead : null;
    const scope: Lead = block.kind === "heading" ? heading : block.kind === "item" ? (nested ?? lead) : heading;
    const inherited = block.kind === "heading" ? "plain" : scope.mood === "plain" ? heading.mood : scope.mood;
    const mood = isEmptied(block, blocks[index + 1]) ? "open" : (markOf(block.text) ?? inherited);
    sentences.push(...readBlock(block, mood, scope.text));
    if (block.kind === "heading") heading = lead = { text: block.text, mood: moodOfHeading(block.text), indent: -1 };
    else if (block.kind === "paragraph") lead = block.text.endsWith(":") ? toLead(block) : heading;
    else if (block.text.endsWith(":")) itemLead = toLead(block);
    else itemLead = nested;
  }
  return sentences;
}

function isEmptied(block: Block, next: Block | undefined): boolean {
  return (
    block.kind === "heading" && next !== undefined && (emptiesHeading.test(next.text) || takesBack.test(next.text))
  );
}

interface Lead {
  text: string;
  mood: Mood;
  indent: number;
}

function toLead(block: Block): Lead {
  return { text: block.text, mood: moodOfLead(block.text), indent: block.indent };
}

function readBlock(block: Block, mood: Mood, lead: string): readonly Sentence[] {
  const { text, spans } = markSpans(block.text.replace(/^\[[ xX]\]\s+/, ""));
  let used = 0;
  const parts = text.split(/(?<=[.!?]["')]*)\s+/).filter((part) => part.trim() !== "");
  const sentences = parts.map((part, index): Sentence => {
    const count = part.match(anyMark)?.length ?? 0;
    const own = spans.slice(used, used + count);
    used += count;
    const next = parts[index + 1];
    const label = /^([\w' -]{1,40}):/.exec(part)?.[1];
    return {
      text: part.replace(neutralPhrases, (phrase) => " ".repeat(phrase.length)),
      spans: own,
      mood: label !== undefined && moodOfHeading(label) === "open" ? "open" : mood,
      lead,
      takenBack: next !== undefined && takesBack.test(next),
    };
  });
  return sentences.filter(({ text }) => text.length <= longestSentence);
}

const span =
  /``(.+?)``|`([^`]+)`|"([^"]{1,300})"|“([^”]{1,300})”|(?<=^|[\s(])'([^']{1,300})'(?=[\s.,;:)!?]|$)|(https?:\/\/[^\s)>\]]+)|([^\s`"“”()[\]{}<>,;|]+)/g;

function markSpans(text: string): { text: string; spans: string[] } {
  const spans: string[] = [];
  const keep = (content: string, mark: string): string => {
    spans.push(content);
    return mark;
  };
  const marked = text.replace(span, (whole: string, ...groups: (string | undefined)[]) => {
    const [double, single, straight, curly, apostrophes, url, word] = groups;
    if (word !== undefined) return markWord(word, keep);
    const content = double ?? single ?? straight ?? curly ?? apostrophes ?? url ?? whole;
    if (toPath(content) !== null) return keep(toPath(content) ?? content, pathMark);
    return keep(content, (double ?? single ?? url) === undefined ? quoteMark : codeMark);
  });
  return { text: marked, spans };
}

/** A word that ends a sentence keeps its full stop. */
function markWord(word: string, keep: (content: string, mark: string) => string): string {
  const end = /[.:!?'*]*$/.exec(word)?.[0] ?? "";
  const path = toPath(word.slice(0, word.length - end.length));
  return path === null ? word : keep(path, pathMark) + end;
}

/** Part of a sentence with the words of its spans put back. */
export function spell(sentence: Sentence, start = 0, end = sentence.text.length): string {
  let next = sentence.text.slice(0, start).match(anyMark)?.length ?? 0;
  return sentence.text.slice(start, end).replace(anyMark, () => sentence.spans[next++] ?? "");
}

/** The spans whose placeholders stand in this part of a sentence. */
export function spansIn(sentence: Sentence, start: number, end: number, mark: string): readonly string[] {
  const marks = sentence.text.match(anyMark) ?? [];
  const first = sentence.text.slice(0, start).match(anyMark)?.length ?? 0;
  const count = sentence.text.slice(start, end).match(anyMark)?.length ?? 0;
  return sentence.spans.slice(first, first + count).filter((_, index) => marks[first + index] === mark);
}
