import type { ModelFailure, ModelFailureCode } from "../ports/modelClient";

export interface RetryPolicy {
  /** Tries of one request, the first included. */
  maxAttempts: number;
  /** Wait before the second try; doubles with every further one. Milliseconds. */
  firstWaitMs: number;
  /** No wait is longer, whatever the server asks for. Milliseconds. */
  maxWaitMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { maxAttempts: 4, firstWaitMs: 1_000, maxWaitMs: 60_000 };

/** False where the same bytes would meet the same answer, or where only a person can change something. */
export function isRetryable(code: ModelFailureCode): boolean {
  return retryable[code];
}

/** How long to wait after the failed try number `attempt` (from 1). `Retry-After` replaces the backoff. */
export function retryWaitMs(failure: ModelFailure, attempt: number, policy: RetryPolicy): number {
  const backoffMs = policy.firstWaitMs * 2 ** (attempt - 1);
  return Math.min(Math.max(0, failure.retryAfterMs ?? backoffMs), policy.maxWaitMs);
}

const retryable: Readonly<Record<ModelFailureCode, boolean>> = {
  "no-key": false,
  auth: false,
  "not-found": false,
  quota: false,
  "rate-limit": true,
  overflow: false,
  "bad-request": false,
  server: true,
  network: true,
  dropped: true,
  stalled: true,
  malformed: true,
  cancelled: false,
};
