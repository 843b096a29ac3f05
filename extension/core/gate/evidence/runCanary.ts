// After a pass: would this runner, with this product loaded, pass a test that must fail? Asked on a private copy, in an
// execution of its own, under a name that nobody could know.
import { absolutePath, isWithin } from "../../contract/contractPaths";
import { knowCheck } from "../../contract/knownCheck";
import type { Canary } from "../../contract/runners/canary";
import { runnerRules } from "../../contract/runnerRules";
import type { FrozenCheck, VerificationPlan } from "../../contract/verificationPlan";
import type { CommandRunner, CommandSpec } from "../../ports/commandRunner";
import type { ScratchFolders } from "../../ports/scratchFolders";
import type { Snapshots } from "../../ports/snapshots";
import type { WorkspaceFiles } from "../../ports/workspaceFiles";
import { checksWithBaseline } from "./checksWithBaseline";
import { executeCheck, type Execution } from "./executeCheck";
import { makePrivateCopy } from "./privateCopy";

export interface CanarySubject {
  check: FrozenCheck;
  plan: VerificationPlan;
  root: string;
  /** The tree that passed. */
  tree: string;
  ports: { files: WorkspaceFiles; commands: CommandRunner; scratch: ScratchFolders; snapshots: Snapshots };
  onStarted: NonNullable<CommandSpec["onStarted"]>;
}

/** `held`: it failed, as it must. `fooled`: it was reported as passed. */
export type CanaryAnswer = "held" | "fooled" | "inconclusive";

const longestMs = 120_000;
const mostFiles = 20;

/** Null where no runner of this check can be asked. */
export async function runCanary(subject: CanarySubject, signal: AbortSignal): Promise<CanaryAnswer | null> {
  const { check, plan, root, tree, ports, onStarted } = subject;
  const canaries = runnerRules
    .filter((rule) => check.reports?.includes(rule.id) === true)
    .map((rule) => rule.reporting?.canary)
    .filter((canary) => canary !== undefined);
  if (canaries.length === 0 || !checksWithBaseline(plan).includes(check)) return null;
  const folder = await ports.scratch.create();
  try {
    const copy = await makePrivateCopy({ tree, root, folder, ports }, signal);
    if (!copy.ok) return "inconclusive";
    const name = toName(folder.path);
    if (!(await addCanaries(canaries, name, { ...subject, root: copy.root }))) return "inconclusive";
    const known = await knowCheck(check, ports, copy.root);
    const timed = { ...check, timeoutMs: Math.min(check.timeoutMs, longestMs) };
    const listeners = { onStarted };
    const execute = (only?: string): Promise<Execution> => {
      const named = only === undefined ? {} : { only };
      return executeCheck({ check: timed, known, root: copy.root, ports, listeners, ...named }, signal);
    };
    const narrow = await execute(name);
    // An older runner may not know how to run tests by name (Node 20 refuses it in NODE_OPTIONS): then all of them run.
    const isWhole = narrow.reports.some(({ report }) => report.whole);
    const execution = isWhole || signal.aborted ? narrow : await execute();
    const outcomes = execution.reports
      .flatMap(({ report }) => (report.whole ? report.tests : []))
      .filter(({ id, isNoTest }) => id.includes(name) && isNoTest !== true)
      .map(({ outcome }) => outcome);
    if (outcomes.includes("passed")) return "fooled";
    return outcomes.includes("failed") ? "held" : "inconclusive";
  } finally {
    await folder.remove();
  }
}

const words = ["keeps", "returns", "handles", "rejects", "reads", "closes", "orders", "merges"];

/** A name for a variable and a test, out of the one random thing at hand: the folder's name. */
function toName(folder: string): string {
  const random = folder
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(-6)
    .toLowerCase();
  return `${words[(random.codePointAt(0) ?? 0) % words.length] ?? "keeps"}_${random}`;
}

/** To frozen test files, so that the product's modules are loaded as the real tests load them. */
async function addCanaries(
  canaries: readonly Canary[],
  name: string,
  { check, plan, root, ports }: CanarySubject,
): Promise<boolean> {
  const tests = plan.contract.filter(
    ({ path, class: kind }) =>
      kind === "frozen" && isWithin(path, check.cwd) && canaries.some((canary) => canary.isTestFile(path)),
  );
  let added = false;
  for (const { path } of tests.slice(0, mostFiles)) {
    const file = absolutePath(root, path);
    const read = await ports.files.read(file);
    if (!read.ok) continue;
    const text = new TextDecoder().decode(read.value.bytes);
    const longer = canaries
      .filter((canary) => canary.isTestFile(path))
      .map((canary) => canary.append(text, path, name));
    const changed = longer.find((candidate) => candidate !== text);
    if (changed === undefined) continue;
    const written = await ports.files.write(file, new TextEncoder().encode(changed), read.value.digest);
    added ||= written.ok;
  }
  return added;
}
