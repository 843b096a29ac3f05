export interface Toolchain {
  root: string;
  /** Node 24. */
  node: string;
  env: NodeJS.ProcessEnv;
}
export const root: string;
export function setup(): Toolchain;
/** Throws a SetupError where the folder is a symbolic link. */
export function refuseLinkedFolder(folder: string): void;
