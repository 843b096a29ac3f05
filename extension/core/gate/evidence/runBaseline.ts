// What the checks say about the tree before the first edit: which tests there are, and which of them are red already.
import { knowCheck } from "../../contract/knownCheck";
import type { FrozenCheck, VerificationPlan } from "../../contract/verificationPlan";
import type { CommandRunner, CommandSpec } from "../../ports/commandRunner";
import type { ScratchFolders } from "../../ports/scratchFolders";
import type { Snapshots } from "../../ports/snapshots";
import type { WorkspaceFiles } from "../../ports/workspaceFiles";
import { executeCheck, type Execution } from "./executeCheck";
import { checksWithBaseline } from "./checksWithBaseline";
import type { BaselineOfCheck } from "./frozenTests";
import { makePrivateCopy } from "./privateCopy";

export interface BaselineSubject {
  plan: VerificationPlan;
  root: string;
  /** The tree before the first edit. */
  tree: string;
  ports: { files: WorkspaceFiles; commands: CommandRunner; scratch: ScratchFolders; snapshots: Snapshots };
  onStarted: NonNullable<CommandSpec["onStarted"]>;
}

/** Each check runs once in a private copy of the tree. After an abort nothing that it answers means anything. */
export async function runBaseline(subject: BaselineSubject, signal: AbortSignal): Promise<readonly BaselineOfCheck[]> {
  const { plan, root, tree, ports } = subject;
  const checks = checksWithBaseline(plan);
  const unknown = (why: string): BaselineOfCheck[] => checks.map(({ name }) => ({ name, tests: null, why }));
  if (checks.length === 0) return [];
  const folder = await ports.scratch.create();
  try {
    const copy = await makePrivateCopy({ tree, root, folder, ports }, signal);
    if (!copy.ok) return unknown(copy.message);
    const found: BaselineOfCheck[] = [];
    for (const check of checks) {
      if (signal.aborted) return unknown("stopped");
      found.push(await runOne(check, { ...subject, root: copy.root }, signal));
    }
    return found;
  } finally {
    await folder.remove();
  }
}

async function runOne(check: FrozenCheck, subject: BaselineSubject, signal: AbortSignal): Promise<BaselineOfCheck> {
  const { root, ports, onStarted } = subject;
  const known = await knowCheck(check, ports, root);
  const execution = await executeCheck({ check, known, root, ports, listeners: { onStarted } }, signal);
  return { name: check.name, ...toFrozenTests(execution) };
}

function toFrozenTests({ exit, reports }: Execution): Pick<BaselineOfCheck, "tests" | "why"> {
  if (exit.ended !== "exited") return { tests: null, why: `it ended as ${exit.ended}` };
  const torn = reports.find(({ report, mayBeMissing }) => !report.whole && !mayBeMissing);
  if (torn !== undefined && !torn.report.whole)
    return { tests: null, why: `the report of ${torn.runner}: ${torn.report.why}` };
  const tests = reports
    .flatMap(({ report }) => (report.whole ? report.tests : []))
    .filter((test) => test.isNoTest !== true);
  const ran = tests.filter((test) => test.outcome !== "skipped");
  const red = ran.filter((test) => test.outcome === "failed");
  return { tests: { ran: ran.map(({ id }) => id), red: red.map(({ id }) => id) }, why: "" };
}
