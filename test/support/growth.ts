/**
 * How many times more processor time `act` takes on eight times the input, for tests that hold a time to be linear (8)
 * and not quadratic (64). Other programs take no part in the measure, and of several measures the smallest counts: a
 * loaded machine or a collection can only add to one, while what grows too fast does so in all of them.
 */
export function growthOf<Input>(toInput: (size: number) => Input, act: (input: Input) => unknown, size: number) {
  const small = toInput(size);
  const large = toInput(size * 8);
  act(small);
  let growth = Infinity;
  for (let tries = 0; tries < 10 && growth > linear; tries += 1) {
    growth = Math.min(
      growth,
      cpuOf(() => act(large)) /
        Math.max(
          cpuOf(() => act(small)),
          clockStepMicros,
        ),
    );
  }
  return growth;
}

/** Between the 8 of linear time and the 64 of quadratic time, nearer to neither. */
export const linear = 24;

/** Below this a measure is mostly the clock's own step. */
const clockStepMicros = 200;

function cpuOf(act: () => unknown): number {
  const before = process.threadCpuUsage();
  act();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
