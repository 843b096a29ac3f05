/** ` (did you mean "x"?)` for the nearest of `known`, or nothing when none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const distances = known.map((each) => ({ each, distance: editDistance(word.toLowerCase(), each.toLowerCase()) }));
  const nearest = distances.sort((a, b) => a.distance - b.distance)[0];
  const limit = Math.max(1, Math.floor(word.length / 3));
  return nearest !== undefined && nearest.distance <= limit ? ` (did you mean "${nearest.each}"?)` : "";
}

/** Insertions, deletions, replacements and swaps of neighbours between two short words. */
function editDistance(from: string, to: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const options = [(last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + cost];
      if (swapped) options.push((beforeLast[column - 2] ?? 0) + 1);
      current.push(Math.min(...options));
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
