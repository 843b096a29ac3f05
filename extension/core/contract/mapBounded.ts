/** Like `Promise.all` over `work`, with at most `width` at a time and results in the order of `items`. */
export async function mapBounded<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>();
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of queue) results.set(index, await work(item));
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
