import type { Discovery } from "./discoverChecks";
import type { DiscoveryFiles } from "./discoveryFiles";

// The order in which make itself looks.
const makefiles = ["GNUmakefile", "makefile", "Makefile"];
const wanted = ["test", "check"];

/** `make test`, else `make check`, from the makefile that make would read. */
export async function discoverMakeTargets(files: DiscoveryFiles): Promise<Discovery> {
  const names = await files.listFiles(".", 1);
  const file = makefiles.find((name) => names.includes(name));
  const targets = file === undefined ? [] : targetsOf((await files.readText(file)) ?? "");
  const target = wanted.find((name) => targets.includes(name));
  if (file === undefined || target === undefined) return { checks: [], warnings: [] };
  return {
    checks: [{ kind: "test", name: `make-${target}`, run: ["make", target], provenance: `${file} ${target}` }],
    warnings: [],
  };
}

/** Names before the colon of rule lines; recipes, comments, assignments and special targets are none. */
function targetsOf(text: string): string[] {
  const rules = [...text.replaceAll("\\\n", " ").matchAll(/^ *([^\s#:=.][^#:=\n]*?) *::?(?![:=]).*$/gm)];
  return rules.flatMap((rule) => (rule[1] ?? "").split(/\s+/));
}
