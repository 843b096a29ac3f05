/** Why the engine refuses to start or go on: misuse and broken invariants only, expected failures are values. */
export type AgentErrorCode = "configuration" | "journal";

/** Thrown before anything has happened. Recognised by `AgentError.is`, since bundles each have their own class. */
export class AgentError extends Error {
  override readonly name = "AgentError";

  constructor(
    readonly code: AgentErrorCode,
    message: string,
    readonly details: readonly string[] = [],
  ) {
    super(message);
  }

  static is(error: unknown, code?: AgentErrorCode): error is AgentError {
    if (!(error instanceof Error) || error.name !== "AgentError" || !("code" in error)) return false;
    return code === undefined || error.code === code;
  }
}
