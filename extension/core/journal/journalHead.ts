// The newest flushed line, noted beside the journal. A chain vouches for each line before another one and for none
// after it, so without this note lines that were cut off at the end would not be missed.
import type { SealOf } from "./codec";

export interface JournalHead {
  seq: number;
  /** SHA-256 of that line. */
  hash: string;
}

/** Null when the key is gone: a note that anybody could write vouches for nothing. */
export async function encodeHead({ seq, hash }: JournalHead, sealOf: SealOf): Promise<string | null> {
  const seal = await sealOf(toSealed(seq, hash));
  return seal === null ? null : JSON.stringify({ seq, hash, seal });
}

/** Null when it is cut, foreign or sealed with another key. */
export async function decodeHead(text: string, sealOf: SealOf): Promise<JournalHead | null> {
  const { seq, hash, seal } = parse(text);
  if (!Number.isSafeInteger(seq) || typeof hash !== "string" || typeof seal !== "string") return null;
  return (await sealOf(toSealed(seq as number, hash))) === seal ? { seq: seq as number, hash } : null;
}

/** No journal line begins like this, so that no seal of a line passes for one of a head. */
const toSealed = (seq: number, hash: string): string => `head ${seq} ${hash}`;

function parse(text: string): Partial<Record<"seq" | "hash" | "seal", unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Record<"seq" | "hash" | "seal", unknown>>;
  } catch (error: unknown) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
