import { parseJsonObject } from "../expandScripts";
import { nothingFound, oneCheck, type Discovery } from "./discovery";
import type { DiscoveryFiles } from "./discoveryFiles";
import { isPlaceholder } from "./placeholder";

const testFile = /(?:^|\/)(?:test|[^/]*[._]test)\.(?:ts|tsx|mts|js|mjs|jsx)$/;

/** The `test` task of deno.json, else `deno test` where there are tests it would find. */
export async function discoverDeno(files: DiscoveryFiles): Promise<Discovery> {
  for (const name of ["deno.json", "deno.jsonc"]) {
    const text = await files.readText(name);
    if (text === null) continue;
    const found = { ecosystem: "deno", kind: "test" } as const;
    const tasks = parseJsonObject(withoutComments(text))?.["tasks"];
    const task = toTask(
      typeof tasks === "object" && tasks !== null ? (tasks as Record<string, unknown>)["test"] : null,
    );
    if (task !== null && !isPlaceholder(task))
      return oneCheck({ ...found, name: "deno-test", run: ["deno", "task", "test"], provenance: `${name} tasks.test` });
    const hasTests = (await files.listFiles(".", 4)).some((path) => testFile.test(path));
    return hasTests ? oneCheck({ ...found, name: "deno-test", run: ["deno", "test"], provenance: name }) : nothingFound;
  }
  return nothingFound;
}

function toTask(task: unknown): string | null {
  if (typeof task === "string") return task;
  const command = typeof task === "object" && task !== null ? (task as Record<string, unknown>)["command"] : null;
  return typeof command === "string" ? command : null;
}

/** Comments of whole lines, and what follows a comma that nothing follows. */
function withoutComments(text: string): string {
  return text
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/\/\*(?:(?!\*\/)[^])*\*\//g, "")
    .replace(/,(\s*[}\]])/g, "$1");
}
