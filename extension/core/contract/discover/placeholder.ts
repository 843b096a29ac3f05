/** A script that only prints or ends says nothing about the work. */
export function isPlaceholder(script: string): boolean {
  if (/[|<>`]|\$\(/.test(script.replaceAll("||", ""))) return false;
  return script
    .split(/&&|\|\||[;\n]/)
    .every((part) => /^\s*(?:(?:echo|printf)\b.*|exit(?:\s+\d+)?|true|false|:)?\s*$/.test(part));
}
