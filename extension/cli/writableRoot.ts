import { access, constants } from "node:fs/promises";
import { refuse, type Refusal } from "./exitCodes";

/** Null when work can be done in the folder. Found before a run begins, not at its first edit. `probe` rejects where not. */
export async function refuseReadOnlyRoot(
  root: string,
  probe: (path: string) => Promise<void> = (path) => access(path, constants.W_OK),
): Promise<Refusal | null> {
  try {
    await probe(root);
    return null;
  } catch (error: unknown) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === "EROFS"
        ? "it lies on a file system that is mounted read-only: mount it writable, or name a copy of it with --workspace"
        : `${code ?? "unknown error"}: make it writable for this user, or name a copy of it with --workspace`;
    return refuse(
      `the workspace folder ${root} cannot be written (${why}). A question that changes nothing can be asked with --kind question`,
    );
  }
}
