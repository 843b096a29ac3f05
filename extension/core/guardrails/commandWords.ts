// Interim: without a grammar, every piece of a command's text that could name a file is taken for one.

/** Longer texts are not judged at all. */
export const longestCommand = 64 * 1024;

const delimiters = /[\s|&;<>()`{}]+/;

/**
 * The pieces of a command that may be paths: words with and without their quotes, what follows `=`, `:`, `,` or `@`,
 * and the value glued to a short flag. Finds too much rather than too little.
 */
export function mentionedWords(command: string): readonly string[] {
  const text = command.replace(/\$(?:HOME\b|\{HOME\})/g, "~").replace(/\$(?:PWD\b|\{PWD\})/g, ".");
  const spliced = text.replace(/\$?["']|\\/g, "");
  const quoted = text.split(/['"]/).map((part) => part.trim());
  const words = [...spliced.split(delimiters), ...text.replace(/["'\\]/g, " ").split(delimiters)];
  return [...new Set([...words.flatMap(piecesOf), ...quoted])].filter(
    (piece) => piece !== "" && piece !== "." && piece !== "/",
  );
}

function piecesOf(word: string): readonly string[] {
  const parts = word.split(/[=,@]/).flatMap((part) => (isAddress(part) ? [part] : [part, ...part.split(":")]));
  const glued = parts.flatMap((part) => (/^-[A-Za-z]./.test(part) ? [part.slice(2)] : []));
  return [word, ...parts, ...glued];
}

/** A network address names no file here; `file://` does. */
function isAddress(text: string): boolean {
  return /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
