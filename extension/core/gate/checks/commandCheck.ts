// Runs one frozen command check and says how it ended. A check that could not run is `unavailable`, never `fail` and never `pass`.
import { compareContract, type ContractChange } from "../../contract/compareContract";
import { comparisonForm, relativePath } from "../../contract/contractPaths";
import { programOf } from "../../contract/commandWords";
import { knowCheck, type KnownCheck } from "../../contract/knownCheck";
import { identifyProgram } from "../../contract/programIdentity";
import type { FrozenCheck, VerificationPlan } from "../../contract/verificationPlan";
import type { CommandExit, CommandRunner, CommandSpec } from "../../ports/commandRunner";
import type { Hasher } from "../../ports/hasher";
import type { ScratchFolders } from "../../ports/scratchFolders";
import type { WorkspaceFiles } from "../../ports/workspaceFiles";
import type { CheckResult, CheckVerdict, Evidence } from "../checkResult";
import { dropStaleBytecode } from "../evidence/dropStaleBytecode";
import { executeCheck, type Execution } from "../evidence/executeCheck";
import type { FrozenTests } from "../evidence/frozenTests";
import { judgeReports } from "../evidence/judgeReports";
import { withoutHiddenText } from "./hiddenText";
import { usefulOutput } from "./usefulOutput";

export interface CommandCheckContext {
  plan: VerificationPlan;
  /** Absolute real path. */
  root: string;
  /** Digest of the tree that is judged. */
  tree: string | null;
  ports: { files: WorkspaceFiles; commands: CommandRunner; hasher: Hasher; scratch: ScratchFolders };
  /** What ran before the first edit; null where nothing is known about that. */
  frozen: FrozenTests | null;
  onStarted?: CommandSpec["onStarted"];
  onOutput?: CommandSpec["onOutput"];
}

interface Judgement {
  verdict: CheckVerdict;
  reason: string;
  evidence?: Evidence;
  tests?: CheckResult["tests"];
  oldRed?: readonly string[];
  /** Whether the end of the output belongs to the reason. */
  showOutput?: boolean;
}

const outputBudget = 3_000;

/** `signal` ends the whole process group; the verdict is `not-run` then. Never rejects for what a check does. */
export async function runCommandCheck(
  check: FrozenCheck,
  context: CommandCheckContext,
  signal: AbortSignal,
): Promise<CheckResult> {
  const before = await judgeContract(context, "");
  const unfit = signal.aborted ? stopped : (before ?? (await judgeProgram(check, context)));
  if (unfit !== null) return toResult(check, context, unfit, null);
  const { ports, root, onStarted, onOutput } = context;
  const known = await knowCheck(check, ports, root);
  const compiled = await dropStaleBytecode(context.plan, root, ports.files);
  if (compiled.length > 0)
    return toResult(check, context, unavailable(`${compiled.join(", ")} could not be removed`), null);
  const listeners = {
    ...(onStarted === undefined ? {} : { onStarted }),
    ...(onOutput === undefined ? {} : { onOutput }),
  };
  const execution = await executeCheck({ check, known, root, ports, listeners }, signal);
  const { exit } = execution;
  const after = exit.ended === "cancelled" ? null : await judgeContract(context, " while the check ran");
  const judged = after ?? judgeExecution(execution, check, known, context);
  const output = judged.showOutput === true ? await shownOutput(execution.output, context) : "";
  const reason = output === "" ? judged.reason : `${judged.reason}:\n${output}`;
  return toResult(check, context, { ...judged, reason }, exit);
}

const stopped: Judgement = { verdict: "not-run", reason: "stopped before it ended" };

async function judgeContract({ plan, ports, root }: CommandCheckContext, when: string): Promise<Judgement | null> {
  const changes = await compareContract(plan, ports, root);
  if (changes.length === 0) return null;
  const named = changes.slice(0, 20).map(nameChange);
  const more = changes.length > named.length ? `; and ${changes.length - named.length} more` : "";
  const reason = `what decides about this check was changed${when}: ${named.join("; ")}${more}. Put it back as it was when the plan was frozen`;
  return { verdict: "tampered", reason };
}

function nameChange({ path, class: kind, what, detail }: ContractChange): string {
  return kind === "hidden" ? `a hidden folder (${what})` : `${path} (${what}: ${detail})`;
}

/** The program has to be the very file that was frozen. */
async function judgeProgram(check: FrozenCheck, { plan, ports, root }: CommandCheckContext): Promise<Judgement | null> {
  const { program, path, digest } = check.runner;
  const isText = typeof check.run === "string";
  // A shell word without a file is the shell's own; the shell says so itself when it is not.
  if (isText && path === null) return null;
  const now = await identifyProgram(program, check.cwd, ports, root);
  if (now.path === null) return unavailable(`the program ${program} was not found`);
  if (path === null)
    return unavailable(
      `the program ${program} was missing when the plan was frozen and has appeared since: a new run can use it`,
    );
  if (now.path !== path)
    return { verdict: "tampered", reason: `${program} is another program now: ${now.path} instead of ${path}` };
  const name = comparisonForm(relativePath(root, path));
  // An approved change of a program that is itself contract is in its entry, which was compared already.
  if (plan.contract.some((entry) => entry.class === "frozen" && comparisonForm(entry.path) === name)) return null;
  if (now.digest === null && digest !== null) return unavailable(`the program ${path} could not be read`);
  if (now.digest !== digest)
    return { verdict: "tampered", reason: `the program ${path} has other bytes than when the plan was frozen` };
  return null;
}

function judgeExecution(
  execution: Execution,
  check: FrozenCheck,
  known: KnownCheck,
  context: CommandCheckContext,
): Judgement {
  const { exit } = execution;
  switch (exit.ended) {
    case "cancelled":
      return stopped;
    case "not-started":
      return unavailable(exit.error ?? `the program ${check.runner.program} could not be started`);
    case "timeout":
      return {
        verdict: "timeout",
        reason: `timed out after ${check.timeoutMs / 1000} s (limit is checks[].timeout)`,
        showOutput: true,
      };
    case "signalled":
      return failed(`ended by ${exit.signal ?? "a signal"}`);
    case "exited":
      return exit.exitCode === null ? failed("exit code unknown") : judgeExit(exit.exitCode, execution, known, context);
  }
}

function judgeReported(exitCode: number, { reports }: Execution, { plan, frozen }: CommandCheckContext): Judgement {
  const showNames = !plan.contract.some((entry) => entry.class === "hidden");
  return judgeReports({ exitCode, reports, frozen, knownRed: plan.knownRed ?? [], showNames });
}

/** What the output says can only take a pass away, and what a report names is told rather than what is printed. */
function judgeExit(exitCode: number, execution: Execution, known: KnownCheck, context: CommandCheckContext): Judgement {
  const broken = judgeBroken(exitCode, execution.output, known);
  if (broken !== null) return broken;
  const reported = judgeReported(exitCode, execution, context);
  if (reported.verdict !== "pass" && (reported.tests?.run ?? 0) > 0) return reported;
  return judgeEmpty(exitCode, execution.output, known) ?? reported;
}

function judgeBroken(exitCode: number, output: string, { command, rules }: KnownCheck): Judgement | null {
  const viaScript = rules.some((rule) => rule.id === "package-script");
  const missing =
    [126, 127].includes(exitCode) || (viaScript && exitCode !== 0) ? missingProgram(command.commands, output) : null;
  if (missing !== null) return unavailable(missing);
  for (const rule of rules) {
    const broken = rule.couldNotRun?.(output, exitCode) ?? null;
    if (broken !== null) return { ...unavailable(broken), showOutput: exitCode !== 0 };
  }
  return null;
}

function judgeEmpty(exitCode: number, output: string, { rules }: KnownCheck): Judgement | null {
  const tests = { run: 0, failed: 0, skipped: 0 };
  for (const rule of rules) {
    const empty = rule.nothingRan?.(output, exitCode) ?? null;
    if (empty !== null) return { verdict: "no-tests", reason: `no tests ran (${empty})`, evidence: "exit-code", tests };
  }
  return null;
}

/** The shell's complaint about one of the check's own programs; a file in the workspace that is missing is the work's fault. */
function missingProgram(commands: readonly (readonly string[])[], output: string): string | null {
  const programs = commands
    .map((words) => programOf(words) ?? "")
    .filter((program) => program !== "" && !program.includes("/"));
  for (const program of programs) {
    const name = program.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    const complaint = new RegExp(
      `(?:^|[\\s:])${name}: (?:command not found|not found|[Pp]ermission denied)$|'${name}' is not recognized`,
      "m",
    );
    if (complaint.test(output)) return `the program ${program} was not found`;
  }
  return null;
}

function failed(how: string): Judgement {
  return { verdict: "fail", reason: `failed (${how})`, evidence: "exit-code", showOutput: true };
}

function unavailable(why: string): Judgement {
  return { verdict: "unavailable", reason: why };
}

async function shownOutput(output: string, { plan, ports, root }: CommandCheckContext): Promise<string> {
  return usefulOutput(await withoutHiddenText(output, plan, ports, root), outputBudget);
}

/** `unavailable` carries the bare why, since it is told in a sentence of its own; the others say which check they are about. */
function toResult(
  check: FrozenCheck,
  { tree }: CommandCheckContext,
  judged: Judgement,
  exit: CommandExit | null,
): CheckResult {
  const bare = judged.verdict === "pass" || judged.verdict === "unavailable";
  return {
    name: check.name,
    verdict: judged.verdict,
    exitCode: exit?.exitCode ?? null,
    durationMs: exit?.durationMs ?? 0,
    tests: judged.tests ?? null,
    evidence: judged.evidence ?? "none",
    tree,
    provenance: check.provenance,
    reason: bare ? judged.reason : `${check.name}: ${judged.reason}`,
    ...(judged.oldRed === undefined || judged.oldRed.length === 0 ? {} : { oldRed: judged.oldRed }),
  };
}
