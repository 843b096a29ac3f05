// Freezes what decides about done, before the first edit: the checks, the programs they start, and every file,
// part of a file and absent name that gives them their meaning.
import { programOf, shellWarnings, simpleCommands } from "./commandWords";
import { addCheck, addProtected, candidates, emptyDraft, type ContractDraft } from "./contractDraft";
import { comparisonForm, isAbsolutePath, isWithin, normalizePath, relativePath } from "./contractPaths";
import type { ContractPorts } from "./contractPorts";
import { matchAny } from "./globs";
import { knowCheck, type KnownCheck } from "./knownCheck";
import { mapBounded } from "./mapBounded";
import { observeEntry } from "./observeEntry";
import { identifyProgram } from "./programIdentity";
import { askForReports } from "./runners/askForReports";
import type { CheckSpec, ContractEntry, FrozenCheck, StructuralCheck, VerificationPlan } from "./verificationPlan";
import { withDigest } from "./withDigest";
import { listMatching, listWorkspace } from "./workspaceListing";

export interface FreezeInput {
  checks: readonly CheckSpec[];
  require: readonly StructuralCheck[];
  source: VerificationPlan["source"];
  /** Globs of further files to freeze, relative to the root. */
  protect: readonly string[];
  /** Folders the model must not see, relative to the root or absolute. */
  hidden: readonly string[];
  /** Globs of files that checks may write; never part of the contract. */
  outputs?: readonly string[];
  /** Ids of tests that may be red. */
  knownRed?: readonly string[];
  /** What discovery or the configuration already has to say. */
  warnings?: readonly string[];
  /** Absolute real path. */
  root: string;
}

const alwaysProtected = [".github/workflows/**"];
/** What the next run would believe: no run may leave another one behind. */
export const ownConfiguration = "donegate.yaml";

/** Reads only. What cannot be read is left out and named in the plan's warnings. */
export async function freezePlan(input: FreezeInput, ports: ContractPorts): Promise<VerificationPlan> {
  const { root, require, source } = input;
  const known = await mapBounded(input.checks, 4, (spec) => knowCheck(spec, ports, root));
  const checks = await mapBounded(known, 4, (check) => freezeCheck(check, ports, root));
  const listing = await listWorkspace(root, ports);
  const workspace = { root, listing, isOutput: matchAny(input.outputs ?? []) };
  const draft = emptyDraft();
  for (const check of known) addCheck(draft, check, workspace);
  const protect = [...alwaysProtected, ...input.protect];
  addProtected(draft, protect, await listMatching(protect, root, ports));
  draft.presentOrAbsent.add(ownConfiguration);
  const { hidden, problems: hiddenProblems } = await freezeHidden(input.hidden, ports, root);
  const { entries, problems } = await freezeDraft(draft, hidden, ports, root);
  const warnings = [
    ...(input.warnings ?? []),
    ...known.flatMap((check) => warningsOf(check, source)),
    ...known.flatMap(sayUnasked),
    ...checks.filter((check) => check.runner.path === null && typeof check.run !== "string").map(missingProgram),
    ...(listing.incomplete === null ? [] : [listing.incomplete]),
    ...hiddenProblems,
    ...problems,
  ];
  const contract = [...hidden, ...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  const knownRed = input.knownRed ?? [];
  return withDigest({ checks, require, contract, source, knownRed, warnings: [...new Set(warnings)] }, ports.hasher);
}

async function freezeCheck(known: KnownCheck, ports: ContractPorts, root: string): Promise<FrozenCheck> {
  const { spec, rules } = known;
  const program = startedProgram(spec.run);
  const identity = await identifyProgram(program, spec.cwd, ports, root);
  const env = Object.assign({}, ...rules.map((rule) => rule.env)) as Record<string, string>;
  const reports = askForReports(known, "/report").asked.map(({ rule }) => rule.id);
  return { ...spec, runner: { program, ...identity }, env, ...(reports.length === 0 ? {} : { reports }) };
}

const shellBuiltIns = new Set([
  "cd",
  "export",
  "set",
  "unset",
  "source",
  ".",
  "test",
  "[",
  "echo",
  "true",
  ":",
  "eval",
  "exec",
  "time",
]);

/** The first word that starts a program; for shell text the first one that the shell does not do itself. */
function startedProgram(run: CheckSpec["run"]): string {
  if (typeof run !== "string") return run[0] ?? "";
  const programs = simpleCommands(run).map((words) => programOf(words) ?? "");
  return programs.find((program) => program !== "" && !shellBuiltIns.has(program)) ?? programs[0] ?? "";
}

async function freezeHidden(
  folders: readonly string[],
  ports: ContractPorts,
  root: string,
): Promise<{ hidden: ContractEntry[]; problems: string[] }> {
  const paths = folders.map((folder) => (isAbsolutePath(folder) ? relativePath(root, folder) : normalizePath(folder)));
  const problems: string[] = [];
  const hidden = await mapBounded([...new Set(paths)], 4, async (path): Promise<ContractEntry> => {
    const seen = await observeEntry(path, "hidden", ports, root);
    if (seen.state === "absent") problems.push(`the hidden folder ${path} does not exist`);
    if (seen.state === "unreadable") problems.push(`the hidden folder ${path} could not be read: ${seen.message}`);
    return { path, class: "hidden", digest: seen.state === "present" ? seen.digest : null, mode: null, links: null };
  });
  return { hidden, problems };
}

async function freezeDraft(
  draft: ContractDraft,
  hidden: readonly ContractEntry[],
  ports: ContractPorts,
  root: string,
): Promise<{ entries: ContractEntry[]; problems: string[] }> {
  const covered = hidden.map((entry) => comparisonForm(entry.path));
  const named = [...candidates(draft)].filter(
    ([path]) => !covered.some((folder) => isWithin(comparisonForm(path), folder)),
  );
  const problems: string[] = [];
  const frozen = await mapBounded(named, 16, async ([path, as]): Promise<ContractEntry | null> => {
    const whole = await observeEntry(path, "frozen", ports, root);
    if (whole.state === "absent" && mustStayAbsent(draft, path)) return absentName(path);
    const seen = as === "frozen" ? whole : await observeEntry(path, as, ports, root);
    if (seen.state === "unreadable" && seen.code !== "is-directory" && seen.code !== "not-a-file") {
      problems.push(`${path} could not be read and is not part of the contract: ${seen.message}`);
    }
    if (seen.state !== "present" || !isWanted(draft, path)) return null;
    return { path, class: as, digest: seen.digest, mode: seen.mode, links: seen.links };
  });
  const globs = [
    ...[...draft.trapGlobs].map((path) => absentName(path)),
    ...[...draft.newTestGlobs]
      .filter((path) => !draft.trapGlobs.has(path))
      .map((path): ContractEntry => ({ ...absentName(path), class: "new-test" })),
  ];
  return { entries: [...frozen.filter((entry) => entry !== null), ...globs], problems };
}

function mustStayAbsent(draft: ContractDraft, path: string): boolean {
  return draft.presentOrAbsent.has(path) || draft.ifAbsent.has(path);
}

/** A name that only its absence would have made part of the contract is none when it exists. */
function isWanted({ ifPresent, presentOrAbsent, tests, projected }: ContractDraft, path: string): boolean {
  return [ifPresent, presentOrAbsent, tests, projected].some((paths) => paths.has(path));
}

function absentName(path: string): ContractEntry {
  return { path, class: "trap", digest: null, mode: null, links: null };
}

/** What a configured check says itself was already said, with its place, when the configuration was read. */
function warningsOf({ spec, command }: KnownCheck, source: VerificationPlan["source"]): string[] {
  const own =
    typeof spec.run === "string" && source !== "config" ? shellWarnings(spec.run, `check "${spec.name}"`) : [];
  const scripts = command.scripts.flatMap((name) =>
    shellWarnings(command.texts[name] ?? "", `check "${spec.name}", script "${name}"`),
  );
  return [...own, ...scripts];
}

function missingProgram({ name, runner }: FrozenCheck): string {
  return `check "${name}" cannot run: the program ${runner.program} was not found`;
}

/** A runner that would tell what it ran, in a command that does not let it. */
function sayUnasked(check: KnownCheck): string[] {
  return askForReports(check, "/report").unasked.map(
    (rule) =>
      `check "${check.spec.name}" rests on its exit code: ${rule.id} cannot be asked for its report in this command`,
  );
}
