import type { ModelFailure, ModelFailureCode } from "../ports/modelClient";
import { asRecord } from "./asRecord";

/** What a server says about its own failure, in any of the shapes in use. */
export interface ServerError {
  status: number | null;
  code: string;
  type: string;
  message: string;
}

export function modelFailure(
  code: ModelFailureCode,
  message: string,
  details: { status?: number | null; retryAfterMs?: number | null } = {},
): ModelFailure {
  return { code, message, status: details.status ?? null, retryAfterMs: details.retryAfterMs ?? null };
}

/** Reads the error out of a JSON body or a stream's chunk; null when the value reports no error. */
export function parseServerError(value: unknown): ServerError | null {
  const body = asRecord(value);
  if (body === null) return null;
  const error = body["error"];
  if (typeof error === "string" && error !== "") return { ...emptyError, message: error };
  const nested = asRecord(error);
  if (nested !== null) return readError(nested);
  if (body["object"] === "error") return readError(body);
  if (body["choices"] === undefined && typeof body["detail"] === "string") {
    return { ...emptyError, message: body["detail"] };
  }
  return null;
}

/** The code decides about retries, so codes and types come first and the status second. */
export function classifyServerError(error: ServerError): ModelFailureCode {
  const words = `${error.code} ${error.type}`.toLowerCase();
  const named = namedCodes.find(([pattern]) => pattern.test(words));
  if (named !== undefined) return named[1];
  if (canBeOverflow(error.status) && overflowSentence.test(error.message)) return "overflow";
  if (error.status !== null) return classifyStatus(error.status);
  return /invalid_request|badrequest|bad_request/.test(words) ? "bad-request" : "server";
}

export function classifyStatus(status: number): ModelFailureCode {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "quota";
  if (status === 404 || status === 405) return "not-found";
  if (status === 408 || status === 409 || status === 425) return "server";
  if (status === 413) return "overflow";
  if (status === 429) return "rate-limit";
  return status >= 500 ? "server" : "bad-request";
}

const emptyError: ServerError = { status: null, code: "", type: "", message: "" };

const namedCodes: readonly (readonly [RegExp, ModelFailureCode])[] = [
  [/insufficient_quota|exceeded_current_quota|billing|insufficient_balance|insufficient_credits/, "quota"],
  [/context_length_exceeded|exceed_context_size|context_window_exceeded|string_above_max_length/, "overflow"],
  [/invalid_api_key|authentication_error|permission_error|permission_denied/, "auth"],
  [/model_not_found|not_found_error/, "not-found"],
  [/rate_limit|too_many_requests/, "rate-limit"],
];

// Several local servers give an overflow no code of its own, only a sentence; without it the run could not be compacted.
const overflowSentence =
  /context (?:length|window|size)|maximum context|exceeds? the (?:model's |available )*context|prompt is too long|input is too long/i;

function canBeOverflow(status: number | null): boolean {
  return status === null || status === 400 || status === 413 || status === 422;
}

function readError(error: Record<string, unknown>): ServerError {
  const code = error["code"];
  return {
    status: toStatus(error["status"]) ?? toStatus(code),
    code: typeof code === "string" ? code : "",
    type: typeof error["type"] === "string" ? error["type"] : "",
    message: toMessage(error),
  };
}

function toMessage(error: Record<string, unknown>): string {
  const message = error["message"] ?? error["detail"];
  if (typeof message === "string" && message !== "") return `${message}${tokenCounts(error)}`;
  return JSON.stringify(message ?? error);
}

/** llama.cpp says beside its message how long the prompt was and what fits. */
function tokenCounts(error: Record<string, unknown>): string {
  const { n_prompt_tokens: prompt, n_ctx: window } = error;
  return typeof prompt === "number" && typeof window === "number"
    ? ` (n_prompt_tokens ${prompt}, n_ctx ${window})`
    : "";
}

function toStatus(value: unknown): number | null {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 599 ? status : null;
}
