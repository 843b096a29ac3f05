/** The part of a command's output that helps to repair: all of it when it fits, else the failing lines, then the end. */
export function usefulOutput(output: string, budget: number): string {
  const text = output.trim();
  if (text.length <= budget) return text;
  const lines = text.split("\n").map((line) => cutLine(line, 300));
  const failing = takeWithin(lines.filter(isFailing), Math.floor(budget / 2));
  const rest = takeWithin([...lines].reverse(), budget - joinedLength(failing) - gap.length).reverse();
  return [...failing.filter((line) => !rest.includes(line)), gap, ...rest].join("\n");
}

const gap = "[… output left out …]";
const failingLine =
  /\b(?:fail(?:ed|ures?|ing|s)?|errors?|assert\w*|expected|received|panicked|traceback|exception|not ok|mismatch)\b|^E {2}|[✗✖✘×]/i;
const countOfNone = /\b0 (?:failed|failures|errors)\b/i;

function isFailing(line: string): boolean {
  return failingLine.test(line) && !countOfNone.test(line);
}

function cutLine(line: string, limit: number): string {
  return line.length <= limit ? line.trimEnd() : `${line.slice(0, limit)}…`;
}

function takeWithin(lines: readonly string[], budget: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const line of lines) {
    used += line.length + 1;
    if (used > budget) break;
    taken.push(line);
  }
  return taken;
}

function joinedLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
