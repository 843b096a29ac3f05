/** Repeatable chance for property tests: the same seed plays the same cases. */
export function seededRandom(seed: number): { below(limit: number): number; pick<T>(list: readonly T[]): T } {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { below, pick: (list) => list[below(list.length)]! };
}
