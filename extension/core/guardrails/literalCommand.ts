/** Plain characters, or quotes around text in which nothing expands. One character a step, so that no input makes it backtrack. */
const word = /(?:'[^'$`\\\r\n]*'|"[^"$`\\!\r\n]*"|[\p{L}\p{N}_@%+=:,./~^-])+/uy;
const gap = /[ \t]+/y;

/**
 * The words of one simple command in which nothing expands, redirects or chains, with their quotes removed.
 * Null for everything else: what this does not understand is not literal.
 */
export function literalWords(command: string): readonly string[] | null {
  const text = command.trim();
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    const found = matchAt(word, text, at);
    // A tilde expands at the start of a word and, in assignments, after `=` and `:`.
    if (found === null || /(?:^|[=:])~/.test(found)) return null;
    words.push(found.replace(/['"]/g, ""));
    at += found.length;
    if (at === text.length) break;
    const space = matchAt(gap, text, at);
    if (space === null) return null;
    at += space.length;
  }
  return words.length > 0 ? words : null;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** An argv as a shell would have to be given it. */
export function toCommandText(run: readonly string[] | string): string {
  if (typeof run === "string") return run.trim();
  return run.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`)).join(" ");
}
