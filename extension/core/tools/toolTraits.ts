import type { Tag } from "../guardrails/verdict";

export interface ToolTraits {
  /** Has effects: runs in the order of its call, never beside another such call of the turn. */
  ordered: boolean;
}

const readOnly: ReadonlySet<Tag> = new Set<Tag>(["read", "ask"]);

/** A tool nobody knows is treated as one with effects. */
export const toolTraits = {
  unknown: { ordered: true },
  of: (tags: readonly Tag[]): ToolTraits => ({ ordered: tags.length === 0 || tags.some((tag) => !readOnly.has(tag)) }),
};
