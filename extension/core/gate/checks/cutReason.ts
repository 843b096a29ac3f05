import type { CheckResult } from "../checkResult";

/** One reason out of all results that did not pass, at most `budget` characters: each keeps its head and its tail. */
export function cutReason(results: readonly CheckResult[], budget = 4_000): string {
  const judged = results.filter((result) => !silent.has(result.verdict));
  const reasons = judged.map((result) =>
    result.verdict === "unavailable"
      ? `${result.name} could not run: ${result.reason}`
      : result.reason || `${result.name}: ${result.verdict}`,
  );
  const notRun = results.filter((result) => result.verdict === "not-run").map((result) => result.name);
  const parts = notRun.length === 0 ? reasons : [...reasons, `not run: ${notRun.join(", ")}`];
  const separator = parts.some((part) => part.includes("\n")) ? "\n\n" : "\n";
  const room = budget - separator.length * Math.max(parts.length - 1, 0);
  return shareOut(parts, room).join(separator);
}

const silent = new Set(["pass", "not-applicable", "not-run"]);

/** Short parts stay whole; what they leave is shared among the long ones. */
function shareOut(parts: readonly string[], room: number): string[] {
  const shortestFirst = [...parts.keys()].sort((a, b) => (parts[a]?.length ?? 0) - (parts[b]?.length ?? 0));
  const cut = [...parts];
  let left = room;
  shortestFirst.forEach((index, done) => {
    const part = cutMiddle(parts[index] ?? "", Math.max(0, Math.floor(left / (parts.length - done))));
    cut[index] = part;
    left -= part.length;
  });
  return cut;
}

const gap = "\n[…]\n";

function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit <= gap.length) return text.slice(0, limit);
  const head = Math.ceil((limit - gap.length) / 2);
  return `${text.slice(0, head)}${gap}${text.slice(text.length - (limit - gap.length - head))}`;
}
