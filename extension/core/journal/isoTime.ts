/** Milliseconds since 1970 as ISO 8601 in UTC; the time itself always comes from the Clock port. */
export function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}
