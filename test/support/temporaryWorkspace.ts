import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A real folder with these files, two levels deep so that `../x` has a place too; gone when the test ends. */
export async function temporaryWorkspace(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const outer = await realpath(await mkdtemp(join(tmpdir(), "donegate-")));
  onTestFinished(() => rm(outer, { recursive: true, force: true }));
  const root = join(outer, "workspace");
  await mkdir(root);
  await putFiles(root, files);
  return root;
}

export async function putFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}
