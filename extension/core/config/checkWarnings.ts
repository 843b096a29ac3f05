/** What a check's shell text hides from the gate: each sentence names the operator and what it swallows. */
export function checkWarnings(run: string | readonly string[]): readonly string[] {
  const text = typeof run === "string" ? run : shellTextOf(run);
  if (text === null) return [];
  const operators = operatorsOf(text);
  const warnings: string[] = [];
  if (operators.includes("||")) warnings.push("`||` hides a failure: what stands on its right decides instead");
  if (operators.includes(";")) warnings.push("`;` can hide a failure of what stands on its left; `&&` does not");
  if (operators.at(-1) === "&" && /&\s*$/.test(text)) {
    warnings.push("a trailing `&` hides the result: the check passes before the command has ended");
  }
  return warnings;
}

const shells = /(?:^|\/)(?:sh|bash|dash|zsh|ksh)$/;

/** The text of `["bash", "-c", "…"]`. Other lists have no shell text. */
function shellTextOf(argv: readonly string[]): string | null {
  if (!shells.test(argv[0] ?? "")) return null;
  const flag = argv.findIndex((word) => /^-\w*c$/.test(word));
  return flag < 0 ? null : (argv[flag + 1] ?? null);
}

/** The operators that stand outside quotes and comments, in order. */
function operatorsOf(text: string): readonly string[] {
  const token = /\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|(?<=^|\s)#[^\n]*|>&|&>|\|\||&&|;;|[;&]/g;
  return [...text.matchAll(token)].map((found) => found[0]);
}
