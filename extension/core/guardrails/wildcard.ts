/**
 * `*` stands for any text, `?` for one character, everything else for itself. For texts that are not paths (commands, hosts).
 * Takes time proportional to both lengths at worst, whatever the pattern.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let position = 0;
  while (position < text.length) {
    if (pattern[at] === "*") {
      star = at++;
      resume = position;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === text[position])) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
