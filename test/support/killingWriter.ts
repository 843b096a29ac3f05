// One change of a file in a process that ends itself by SIGKILL inside it. Bundled by the test.
import files from "node:fs/promises";
import { dirname } from "node:path";
import { NodeWorkspaceFiles } from "../../extension/node/nodeWorkspaceFiles";
import { PendingWrites } from "../../extension/node/pendingWrites";

/** `write` has new bytes; `move` a target. Killed right before or after the first call of a function of the system. */
export interface KillingWrite {
  pending: string;
  path: string;
  change: { write: string; length?: number } | { moveTo: string };
  kill: { at: "open" | "link" | "rename" | "unlink"; when: "before" | "after" } | null;
}

const { pending, path, change, kill } = JSON.parse(process.argv[2] ?? "") as KillingWrite;
if (kill !== null) killAt(kill);
void act();

function killAt({ at, when }: NonNullable<KillingWrite["kill"]>): void {
  const plain = files[at] as (...words: unknown[]) => Promise<unknown>;
  const killing = async (...words: unknown[]): Promise<unknown> => {
    // Only what changes the workspace: notes lie elsewhere, and reading opens as well.
    const isInWorkspace = words.some((word) => typeof word === "string" && word.startsWith(dirname(path)));
    const isMeant = isInWorkspace && (at !== "open" || words[1] === "wx");
    if (isMeant && when === "before") process.kill(process.pid, "SIGKILL");
    const result = await plain(...words);
    if (isMeant) process.kill(process.pid, "SIGKILL");
    return result;
  };
  Object.assign(files, { [at]: killing });
}

async function act(): Promise<void> {
  const disk = new NodeWorkspaceFiles(new PendingWrites(pending));
  const read = await disk.read(path);
  const before = read.ok ? read.value.digest : null;
  const result =
    "moveTo" in change
      ? await disk.move(path, change.moveTo, before ?? "")
      : await disk.write(path, new TextEncoder().encode(change.write.repeat(change.length ?? 1)), before);
  process.stdout.write(JSON.stringify(result));
}
