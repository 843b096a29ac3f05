export interface Toolchain {
  root: string;
  /** Node 24. */
  node: string;
  env: NodeJS.ProcessEnv;
}
export const root: string;
export function setup(): Toolchain;
