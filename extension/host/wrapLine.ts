/** Longer lines go on in the next one: what is right of the window's edge was not read. */
const widestLine = 100;

/** What will run is cut anywhere, so that every character keeps its place; what is only told is cut between words. */
export function wrapLine(
  text: string,
  first: string,
  next: string,
  at: "words" | "anywhere" = "anywhere",
): readonly string[] {
  const piece = `[^]{1,${widestLine - first.length}}`;
  const pieces = text.match(new RegExp(at === "words" ? `${piece}(?:\\s|$)|${piece}` : piece, "gu")) ?? [""];
  return pieces.map((part, index) => `${index === 0 ? first : next}${part}`);
}
