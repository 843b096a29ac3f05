/** A command check before it is frozen: what the config or discovery says. */
export interface CheckSpec {
  name: string;
  /** argv, or shell text where it must be one. */
  run: readonly string[] | string;
  /** Relative to the root, `.` for the root itself. */
  cwd: string;
  timeoutMs: number;
  /** Where the check comes from: `donegate.yaml:4`, `package.json scripts.test`, `Makefile test`. */
  provenance: string;
}

/** A command check as it was frozen before the first edit. */
export interface FrozenCheck extends CheckSpec {
  runner: {
    /** First word as written. */
    program: string;
    /** Real path, null when it was missing at freeze. */
    path: string | null;
    digest: string | null;
  };
  /** What the check gets besides the runner's own base environment. */
  env: Readonly<Record<string, string>>;
  /** Runners that tell what they ran; empty or absent: the exit code is all there is. */
  reports?: readonly string[];
}

export type ContractClass = "frozen" | "projection" | "trap" | "new-test" | "dependency" | "hidden";

export interface ContractEntry {
  /** Relative to the root; may start with `../` for a hidden folder outside it. */
  path: string;
  class: ContractClass;
  /** Of the bytes (`frozen`), of the deciding part (`projection`); null for a name that must stay absent and for folders. */
  digest: string | null;
  mode: number | null;
  links: number | null;
}

export interface VerificationPlan {
  checks: readonly FrozenCheck[];
  /** Structural checks the gate requires, in the order they are judged. */
  require: readonly StructuralCheck[];
  contract: readonly ContractEntry[];
  source: "config" | "discovered" | "none";
  /** Ids of tests that a person expects to be red; absent: none. */
  knownRed?: readonly string[];
  /** What a person should know about these checks (`a check with "||" hides a failure`). */
  warnings: readonly string[];
  /** SHA-256 over all of the above. */
  digest: string;
}

export type StructuralCheck = "todos" | "diff" | "diagnostics" | "receipts";
