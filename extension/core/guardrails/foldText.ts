/** One form for texts a person would call the same: compatibility characters, case and runs of white space do not count. */
export function foldText(text: string): string {
  return text.normalize("NFKC").toLowerCase().normalize("NFKC").replace(/\s+/g, " ").trim();
}

/** Values as `foldText` forms, with lists, objects and JSON text opened: `PROD`, `["prod"]` and `{"env":"prod"}` all hold `prod`. */
export function foldedValues(value: unknown): readonly string[] {
  return leavesOf(value).map((leaf) => foldText(String(leaf)));
}

/** Every text in a value, unfolded. */
export function textsIn(value: unknown): readonly string[] {
  return leavesOf(value).filter((leaf) => typeof leaf === "string");
}

function leavesOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (typeof value === "object") return Object.values(value).flatMap(leavesOf);
  const opened = typeof value === "string" ? openedJson(value) : undefined;
  return opened === undefined ? [value] : [value, ...leavesOf(opened)];
}

function openedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the text stands for itself.
    return undefined;
  }
}
