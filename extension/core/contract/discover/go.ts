import { nothingFound, oneCheck, type Discovery } from "./discovery";
import type { DiscoveryFiles } from "./discoveryFiles";

const run = ["go", "test", "./..."];

/** The module's tests; those of each module that a `go.work` uses, since `./...` does not cross modules. */
export async function discoverGo(files: DiscoveryFiles): Promise<Discovery> {
  const found = { ecosystem: "go", kind: "test", run } as const;
  const work = await files.readText("go.work");
  if (work !== null) {
    const modules = usedModules(work);
    const nameOf = (cwd: string): string => (modules.length === 1 ? "go-test" : `go-test ${cwd}`);
    const checks = modules.map((cwd) => ({ ...found, name: nameOf(cwd), cwd, provenance: `go.work use ${cwd}` }));
    return { checks, warnings: [] };
  }
  if ((await files.readText("go.mod")) === null) return nothingFound;
  return oneCheck({ ...found, name: "go-test", provenance: "go.mod" });
}

function usedModules(text: string): string[] {
  const plain = text.replace(/\/\/.*$/gm, "");
  const blocks = [...plain.matchAll(/^use\s*\(([^)]*)\)/gm)].flatMap((match) => (match[1] ?? "").split(/\s+/));
  const single = [...plain.matchAll(/^use\s+([^\s(]+)/gm)].map((match) => match[1] ?? "");
  const named = [...blocks, ...single].map((name) => name.replaceAll('"', "")).filter((name) => name !== "");
  const folders = named.map((name) => name.replace(/^\.\/?/, "") || ".").filter((name) => !name.startsWith("."));
  const root = named.includes(".") || named.includes("./") ? ["."] : [];
  return [...new Set([...root, ...folders])].sort();
}
