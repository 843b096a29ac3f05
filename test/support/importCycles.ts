import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";

/** File to the files it imports, types and `import()` included; paths from the root, with slashes. */
export function readImports(root: string, folders: readonly string[]): Map<string, string[]> {
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => posix.join(folder, file.replaceAll("\\", "/"))),
  );
  const known = new Set(sources);
  const resolve = (from: string, name: string) =>
    ["", ".ts", ".tsx", "/index.ts"]
      .map((end) => posix.join(posix.dirname(from), name) + end)
      .find((at) => known.has(at));
  return new Map(
    sources.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), "utf8"), true, true);
      return [file, importedFiles.flatMap(({ fileName }) => resolve(file, fileName) ?? [])];
    }),
  );
}

/** One circle for each way back to a file that is being walked: `["a", "b", "a"]`. None: nothing imports itself. */
export function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const path: string[] = [];
  const done = new Set<string>();
  const walk = (file: string): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file]);
    if (done.has(file) || path.includes(file)) return;
    path.push(file);
    for (const imported of imports.get(file) ?? []) walk(imported);
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) walk(file);
  return cycles;
}
