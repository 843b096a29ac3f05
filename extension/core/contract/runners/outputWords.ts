// Reading what a runner prints: it can only take a pass away, so a miss costs little and a hit costs nothing wrong.

export function found(output: string, pattern: RegExp): string | null {
  return pattern.exec(output)?.[0].trim() ?? null;
}

/** The first counting line when there are any and all count zero. */
export function allZero(output: string, counting: RegExp): string | null {
  const matches = [...output.matchAll(counting)];
  return matches.every((match) => Number(match[1]) === 0) ? (matches[0]?.[0].trim() ?? null) : null;
}

/** The last summary line when none of the summary lines tells of what is wanted. */
export function summaryWithout(output: string, summary: RegExp, wanted: RegExp): string | null {
  const matches = [...output.matchAll(summary)];
  return matches.some((match) => wanted.test(match[1] ?? "")) ? null : (matches.at(-1)?.[0].trim() ?? null);
}
