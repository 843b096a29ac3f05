/** Names of the sections of an INI or TOML text, without quotes and spaces, in order. */
export function sectionNames(text: string): string[] {
  return [...text.matchAll(/^\[\[?([^\]\n]+)\]\]?\s*(?:[#;].*)?$/gm)].map((match) =>
    (match[1] ?? "").replace(/["'\s]/g, ""),
  );
}
