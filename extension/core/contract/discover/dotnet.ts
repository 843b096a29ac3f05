import { nothingFound, oneCheck, type Discovery } from "./discovery";
import type { DiscoveryFiles } from "./discoveryFiles";

/** `dotnet test` on the solution, else on the one test project; both only where a project is one of tests. */
export async function discoverDotnet(files: DiscoveryFiles): Promise<Discovery> {
  const paths = await files.listFiles(".", 4);
  const projects = paths.filter((path) => /\.(?:cs|fs|vb)proj$/.test(path));
  const tests: string[] = [];
  for (const path of projects.slice(0, 50)) {
    const text = (await files.readText(path)) ?? "";
    if (/Microsoft\.NET\.Test\.Sdk|<IsTestProject>\s*true|MSTest\.Sdk/i.test(text)) tests.push(path);
  }
  const [first] = tests;
  if (first === undefined) return nothingFound;
  const found = { ecosystem: "dotnet", kind: "test", name: "dotnet-test" } as const;
  const solution = paths.find((path) => /^[^/]+\.slnx?$/.test(path));
  if (solution !== undefined) return oneCheck({ ...found, run: ["dotnet", "test", solution], provenance: solution });
  return {
    checks: tests.map((path) => ({ ...found, run: ["dotnet", "test", path], provenance: path })),
    warnings: [],
  };
}
