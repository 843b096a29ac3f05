const longest = 300;
const wordless = "it threw something without a message";

/** What was thrown, as one short text. Never throws, whatever it is given: programs throw strings, nothing, and worse. */
export function errorText(error: unknown): string {
  try {
    if (error === undefined || error === null) return wordless;
    const message = typeof error === "object" && "message" in error ? error.message : error;
    return String(message).slice(0, longest);
  } catch {
    return wordless;
  }
}
