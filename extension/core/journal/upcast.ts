// What older programs wrote, as this one understands it. The line on the disk stays as it is; hash and seal are of that.

/** `newest`: written today. `steps[v]` turns the keys of a line of version v into those of version v + 1. */
export interface Versions {
  newest: number;
  steps: Readonly<Record<number, Upcast>>;
}

export type Upcast = (line: Readonly<Record<string, unknown>>) => Record<string, unknown>;

export const versions: Versions = { newest: 1, steps: {} };

/** Null when no way leads from this version to the newest. Lines of the newest version come back as they are. */
export function upcastLine<Line extends { v: number }>(line: Line, { newest, steps }: Versions): Line | null {
  let raised: Line = line;
  for (let v = line.v; v < newest; v += 1) {
    const step = steps[v];
    if (step === undefined) return null;
    raised = { ...step(raised), v: v + 1 } as Line;
  }
  return raised.v === newest ? raised : null;
}
