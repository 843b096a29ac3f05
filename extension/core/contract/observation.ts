import type { FileErrorCode } from "../ports/workspaceFiles";

/** What stands at a contract path now, reduced to what its class looks at. */
export type Observation =
  | { state: "present"; digest: string; mode: number | null; links: number | null }
  | { state: "absent" }
  | { state: "unreadable"; code: FileErrorCode; message: string };
