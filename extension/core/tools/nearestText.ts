/** For an `old` that does not match: where something like it stands, in one sentence, or what to do instead. */
export function nearestText(text: string, oldText: string): string {
  const lines = text.split("\n");
  const wanted = oldText
    .replaceAll("\r\n", "\n")
    .replace(/^\n+|\n+$/g, "")
    .split("\n");
  const folded = wanted.map(foldSpace);
  const spaced = lines.findIndex((_, at) =>
    folded.every((line, offset) => foldSpace(lines[at + offset] ?? "") === line),
  );
  if (spaced !== -1 && folded.some((line) => line !== "")) {
    const found = lines.slice(spaced, spaced + wanted.length).join("\n");
    return `It differs only in white space from line ${spaced + 1} on, where the file has:\n${found.slice(0, 2000)}`;
  }
  const anchor = folded.find((line) => line.length > 2);
  const similar = anchor === undefined ? -1 : lines.findIndex((line) => foldSpace(line).includes(anchor));
  if (similar !== -1) {
    return `Its first line stands at line ${similar + 1}, but what follows is different:\n${excerpt(lines, similar, wanted.length)}`;
  }
  return "No line of the file is like its first line. Read the file again.";
}

function foldSpace(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

function excerpt(lines: readonly string[], from: number, count: number): string {
  return lines
    .slice(from, from + Math.min(count, 20))
    .join("\n")
    .slice(0, 2000);
}
