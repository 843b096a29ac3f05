export interface TextChange {
  /** Offsets into the text before. */
  from: number;
  to: number;
  text: string;
}

/** The one stretch in which two texts differ; a character that takes two places and a CR LF stay whole. */
export function smallestChange(before: string, after: string): TextChange {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  while (head > 0 && (isInside(before, head) || isInside(after, head))) head -= 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  while (tail > 0 && (isInside(before, before.length - tail) || isInside(after, after.length - tail))) tail -= 1;
  return { from: head, to: before.length - tail, text: after.slice(head, after.length - tail) };
}

function isInside(text: string, at: number): boolean {
  const pair = text.slice(at - 1, at + 1);
  return pair === "\r\n" || /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair);
}
