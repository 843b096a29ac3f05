// Turns what the SDK, the network and the server report into failures that say what to do.
import { classifyServerError, classifyStatus, modelFailure, parseServerError } from "../core/loop/modelFailure";
import { redactText } from "../core/journal/redact";
import type { ModelFailure, ModelFailureCode } from "../core/ports/modelClient";

export interface ModelConnection {
  endpoint: string;
  model: string;
  apiKey: string | null;
}

/** `error` is what a request threw. */
export function toModelFailure(error: unknown, connection: ModelConnection, signal: AbortSignal): ModelFailure {
  if (signal.aborted) return modelFailure("cancelled", "the request was stopped");
  const thrown = asRecord(error) ?? {};
  const status = thrown["status"];
  return typeof status === "number" ? toHttpFailure(thrown, status, connection) : toNetworkFailure(error, connection);
}

/** The failure of a body that broke off. */
export function toBodyFailure(error: unknown, connection: ModelConnection): ModelFailure {
  const { code } = findCause(error);
  if (code === "UND_ERR_BODY_TIMEOUT")
    return modelFailure("stalled", `${connection.endpoint} stopped sending in the middle of its reply`);
  const message = `the connection to ${connection.endpoint} closed in the middle of the reply (${code || "cut"})`;
  return modelFailure("dropped", maskKey(message, connection.apiKey));
}

/** The failure of an answer that is a web page. */
export function toPageFailure(connection: ModelConnection): ModelFailure {
  return modelFailure(
    "not-found",
    `${connection.endpoint} answered with a web page, not with the API: check the base URL (it usually ends in /v1)`,
  );
}

export function maskKey(text: string, apiKey: string | null): string {
  return apiKey !== null && apiKey.length >= 4 ? text.replaceAll(apiKey, "***") : text;
}

function toHttpFailure(thrown: Record<string, unknown>, status: number, connection: ModelConnection): ModelFailure {
  const reported = parseServerError({ error: first(thrown["error"]) });
  const code = reported === null ? classifyStatus(status) : classifyServerError({ ...reported, status });
  const own = typeof thrown["message"] === "string" ? thrown["message"].replace(/^\d{3} /, "") : "";
  const text = describeBody(reported?.message ?? own);
  const message = maskKey(explainStatus(code, status, text, connection), connection.apiKey);
  return modelFailure(code, message, { status, retryAfterMs: readRetryAfter(thrown["headers"]) });
}

function explainStatus(
  code: ModelFailureCode,
  status: number,
  text: string,
  { endpoint, model }: ModelConnection,
): string {
  const said = `HTTP ${status}: ${text}`;
  switch (code) {
    case "auth":
      return `${endpoint} refused the API key (${said}). Check DONEGATE_API_KEY or OPENAI_API_KEY, or the key stored in the editor`;
    case "not-found":
      return `${endpoint} does not know the model ${model}, or the base URL is wrong (${said})`;
    case "quota":
      return `${endpoint} says that the account has no quota left (${said}). Waiting does not help: check plan and billing`;
    case "rate-limit":
      return `${endpoint} limits the rate of requests (${said})`;
    case "overflow":
      return `the conversation is longer than the context of ${model} (${said})`;
    default:
      return `${endpoint} failed (${said})`;
  }
}

function describeBody(text: string): string {
  // Before the cut: half a key has no shape any more.
  const trimmed = redactText(text.trim(), []);
  if (trimmed.startsWith("<")) return "a web page instead of an answer";
  return trimmed.length > 500 ? `${trimmed.slice(0, 500)}…` : trimmed;
}

function toNetworkFailure(error: unknown, connection: ModelConnection): ModelFailure {
  const { code, text } = findCause(error);
  const { endpoint } = connection;
  if (code === "UND_ERR_HEADERS_TIMEOUT") return modelFailure("stalled", `${endpoint} did not begin to answer in time`);
  // The one refusal of fetch's own that comes without a code; asking again cannot help.
  if (code === "" && text === "bad port") {
    const message = `the port of ${endpoint} is closed to web requests by the fetch standard: choose another port for the server`;
    return modelFailure("bad-request", message);
  }
  return modelFailure("network", maskKey(explainNetwork(code, text, endpoint), connection.apiKey));
}

function explainNetwork(code: string, text: string, endpoint: string): string {
  if (code === "ECONNREFUSED") return `nothing listens at ${endpoint}: is the model server running?`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `the host of ${endpoint} cannot be found (${code}): check the base URL and the network`;
  }
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH/.test(code)) {
    return `${endpoint} does not speak TLS (${code}): the base URL may have to start with http://`;
  }
  if (/CERT|SELF_SIGNED|SSL|TLS|UNABLE_TO_/.test(code)) {
    return `the certificate of ${endpoint} is not trusted (${code}): name its authority in NODE_EXTRA_CA_CERTS`;
  }
  if (/TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/.test(code)) return `${endpoint} cannot be reached (${code})`;
  return `the request to ${endpoint} failed: ${text}${code === "" ? "" : ` (${code})`}`;
}

/** The innermost cause that has a code, else the innermost message. */
function findCause(error: unknown): { code: string; text: string } {
  let code = "";
  let text = "unknown";
  let current: unknown = error;
  for (let depth = 0; depth < 8; depth += 1) {
    const record = asRecord(current);
    if (record === null) break;
    if (typeof record["code"] === "string") code = record["code"];
    if (typeof record["message"] === "string" && record["message"] !== "") text = record["message"];
    current = record["cause"] ?? first(record["errors"]);
  }
  return { code, text };
}

/** `Retry-After` in milliseconds: seconds, a date, or the finer header some servers add. */
function readRetryAfter(headers: unknown): number | null {
  if (!(headers instanceof Headers)) return null;
  const fine = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (Number.isFinite(fine)) return Math.max(0, fine);
  const plain = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(plain)) return Number(plain) * 1_000;
  const date = Date.parse(plain);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? first((value as unknown[])[0]) : value;
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}
