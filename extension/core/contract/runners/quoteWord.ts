/** A path as one word of an options variable, for Node and for shell-like splitters: backslashes are escapes to both. */
export function quoteWord(path: string): string {
  return /^[\w./:@%+=-]+$/.test(path) ? path : `"${path.replaceAll("\\", "/").replaceAll('"', '\\"')}"`;
}
