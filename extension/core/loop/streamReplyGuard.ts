import type { Clock } from "../ports/clock";
import type { ModelChunk, ModelFailure } from "../ports/modelClient";
import { modelFailure } from "./modelFailure";

export interface GuardOptions {
  clock: Clock;
  /** Silence, before the headers or between chunks, after which the request is given up. Milliseconds. */
  stallMs: number;
}

/**
 * Hands on the chunks of one request. Silence and `signal` end it with a `failure` chunk at once,
 * even where the client does not listen to its own signal.
 */
export async function* guardStream(
  open: (signal: AbortSignal) => AsyncIterable<ModelChunk>,
  { clock, stallMs }: GuardOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelChunk, void, void> {
  const request = new AbortController();
  const watch = new AbortController();
  const life = { at: clock.now() };
  const interruption = firstInterruption(life, { clock, stallMs }, signal, watch.signal);
  const chunks = open(request.signal)[Symbol.asyncIterator]();
  let isInterrupted = false;
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), interruption]);
      if ("code" in next) {
        isInterrupted = true;
        yield { type: "failure", failure: next };
        return;
      }
      if (next.done === true) return;
      life.at = clock.now();
      yield next.value;
    }
  } finally {
    watch.abort();
    // A client that hangs would hang its own return() too, so after an interruption nobody waits for it.
    const closing = closeQuietly(chunks);
    if (isInterrupted) request.abort();
    else await closing;
  }
}

/** Resolves with the reason to give the request up; stays pending when `ended` aborts first. */
function firstInterruption(
  life: { readonly at: number },
  { clock, stallMs }: GuardOptions,
  signal: AbortSignal,
  ended: AbortSignal,
): Promise<ModelFailure> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => resolve(modelFailure("cancelled", "the request was stopped"));
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    ended.addEventListener("abort", () => signal.removeEventListener("abort", cancel), { once: true });
    waitForStall(life, { clock, stallMs }, ended).then((hasStalled) => {
      const seconds = Math.round(stallMs / 1_000);
      if (hasStalled) resolve(modelFailure("stalled", `the model server sent nothing for ${seconds} s`));
    }, reject);
  });
}

/** One timer for as long as there is life, not one a chunk. */
async function waitForStall(
  life: { readonly at: number },
  { clock, stallMs }: GuardOptions,
  ended: AbortSignal,
): Promise<boolean> {
  while (!ended.aborted) {
    const quietMs = clock.now() - life.at;
    if (quietMs >= stallMs) return true;
    // A clock set back must not make the wait longer than one period.
    await clock.sleep(Math.min(stallMs, stallMs - quietMs), ended);
  }
  return false;
}

async function closeQuietly(chunks: AsyncIterator<ModelChunk>): Promise<void> {
  try {
    await chunks.return?.();
  } catch (error: unknown) {
    // The verdict on the request is out already; how its iterator takes the end cannot change it.
    void error;
  }
}
