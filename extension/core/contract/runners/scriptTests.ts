/** Names that JavaScript runners share. */
export const scriptTestFiles: readonly string[] = [
  "**/*.{test,spec}.{js,mjs,cjs,jsx,ts,mts,cts,tsx}",
  "test/**",
  "tests/**",
  "**/__tests__/**",
  "**/__snapshots__/**",
  "**/__mocks__/**",
];

export const moduleEndings: readonly string[] = ["js", "mjs", "cjs", "ts", "mts", "cts"];

/** One name with each of the endings. */
export function spread(stem: string, endings: readonly string[]): string[] {
  return endings.map((ending) => `${stem}.${ending}`);
}
