// What the run itself changed, and which outside effects can still be read back: the diff check's evidence.
import type { DiffEvidence } from "../gate/checks/diffCheck";
import { toPath } from "./relativePath";
import type { FileChange } from "../ports/snapshots";
import type { RunContext, WorkspacePart } from "./runContext";

/** Null when the trees cannot be compared. A person's own edits are left out: only paths this run touched count. */
export async function gatherDiff(
  context: RunContext,
  tree: string | null,
  signal: AbortSignal,
): Promise<DiffEvidence | null> {
  const { workspace } = context;
  const { startTree, touched, spec } = context.state();
  if (workspace === null || tree === null || startTree === null) return null;
  const own = new Set(touched.map((path) => toPath(workspace.root, path)));
  const changes = (await workspace.snapshots.diff(startTree, tree)).filter((change) => own.has(change.path));
  return {
    kind: spec?.kind ?? "auto",
    changes,
    effects: await readBackEffects(context, workspace, signal),
    texts: await readTexts(workspace, startTree, tree, changes),
    tree,
  };
}

async function readBackEffects(
  context: RunContext,
  workspace: WorkspacePart,
  signal: AbortSignal,
): Promise<DiffEvidence["effects"]> {
  const effects: { tool: string; backed: boolean }[] = [];
  for (const { tool, args } of context.state().effects) {
    const tags = context.tools.find(tool)?.tags ?? [];
    if (tool === "run_tests" || !tags.some((tag) => tag === "command" || tag === "network")) continue;
    effects.push({ tool, backed: (await workspace.readback(tool, args, signal)) === true });
  }
  return effects;
}

async function readTexts(
  { snapshots }: WorkspacePart,
  from: string,
  to: string,
  changes: readonly FileChange[],
): Promise<DiffEvidence["texts"]> {
  const texts: { path: string; before: string | null; after: string }[] = [];
  for (const { path, kind } of changes) {
    if (kind === "deleted") continue;
    const after = toText(await snapshots.read(to, path));
    if (after !== null) texts.push({ path, before: toText(await snapshots.read(from, path)), after });
  }
  return texts;
}

/** Null for binary files. */
function toText(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.subarray(0, 8_000).includes(0)) return null;
  return new TextDecoder().decode(bytes);
}
