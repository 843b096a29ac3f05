/** An argv as a shell would have to be given it. */
export function toCommandText(run: readonly string[] | string): string {
  if (typeof run === "string") return run.trim();
  return run.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`)).join(" ");
}
