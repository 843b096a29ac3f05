import type { Toolchain } from "./setup.mjs";

export interface InstalledVscode {
  /** The server's entry script. */
  main: string;
  chromium: string;
}
export function installVscodeServer(toolchain: Toolchain): InstalledVscode;
