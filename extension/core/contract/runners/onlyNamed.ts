/** The option by which vitest and jest run only tests with this in their name. */
export function onlyNamed(only: string | undefined): readonly string[] {
  return only === undefined ? [] : [`--testNamePattern=${only}`];
}
