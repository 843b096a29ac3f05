import type { Canary } from "./canary";
import type { TestReport } from "./testReport";

/** What is known about one runner. Globs and names are relative to the check's folder. */
export interface RunnerRule {
  id: string;
  /** Word sequences that give the runner away, in order within one simple command; program names without their folder. */
  words: readonly (readonly string[])[];
  /** Names the runner would read from the check's folder or one above it: frozen where present, a trap where absent. */
  configs: readonly string[];
  /** Shared files of which only a part decides. */
  projections: readonly string[];
  /** Globs of tests and of what tests are made of; a file that matches and is not there yet is a new test. */
  tests: readonly string[];
  /** Globs that must match nothing new, anywhere in the workspace. */
  traps: readonly string[];
  /** What the check gets in its environment. */
  env: Readonly<Record<string, string>>;
  /** Why the output says that nothing was run; null when it does not say so. */
  nothingRan?: (output: string, exitCode: number) => string | null;
  /** Why the output says that the runner itself could not work; null when it does not say so. */
  couldNotRun?: (output: string, exitCode: number) => string | null;
  /** How it tells what it ran; absent for runners whose exit code is all there is. */
  reporting?: Reporting;
}

export interface Reporting {
  /** Null when this command cannot be asked without changing what it means. */
  ask(subject: ReportSubject): ReportRequest | null;
  /** Of one execution. What is missing, torn or not understood is not whole, never an empty report. */
  read(produced: ProducedReport): TestReport;
  /** How a test that must fail is added to its tests. */
  canary?: Canary;
  /** The output for people, for runners whose report takes its place. */
  show?(output: string): string;
}

export interface ReportSubject {
  /** A folder made for this execution, outside the workspace; `/` between segments. */
  folder: string;
  /** The simple command that starts the runner, without what stands before the runner's name. */
  words: readonly string[];
  /** Only tests with this in their name are wanted. */
  only?: string;
}

export interface ReportRequest {
  /** Added to the check's environment; the same name of several runners is joined by a space. */
  env?: Readonly<Record<string, string>>;
  /** For runners that are Node programs: arguments for the program whose real path ends in one of these. */
  node?: { programs: readonly string[]; args: readonly string[] };
  /** Arguments for the runner's own command line, where it can be reached. */
  args?: readonly string[];
  /** Words of the runner's own command line that others stand in for, where it can be reached. */
  replace?: { words: readonly string[]; by: readonly string[] };
  /** Files the runner needs in the folder, by name. */
  files?: Readonly<Record<string, string>>;
  /** Globs, relative to the check's folder, of reports that the runner leaves in the workspace and nowhere else. */
  leaves?: readonly string[];
  /** Whether the report is an option of the project: none is no failure then, and the exit code decides. */
  mayLeaveNone?: boolean;
}

export interface ProducedReport {
  /** Everything new in the folder, and everything new that the runner left in the workspace. */
  files: readonly { name: string; text: string }[];
  /** Both streams of the execution. */
  output: string;
  /** Absolute path of the folder the check ran in. */
  cwd: string;
}

/** For runners without modules, configuration files or anything else of these kinds. */
export const plainRule = { configs: [], projections: [], tests: [], traps: [], env: {} };
