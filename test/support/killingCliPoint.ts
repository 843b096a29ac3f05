export const killVariable = "TEST_KILL_AT";

/** Where in its journal a process is to be killed: the n-th line of a type, right before or right after it is on the disk. */
export interface KillAt {
  type: string;
  nth?: number;
  when?: "before" | "after";
  /** Only lines with these values count. */
  where?: Readonly<Record<string, string | boolean | null>>;
}
