import type { CheckKind, Discovery } from "./discovery";
import { nothingFound } from "./discovery";
import type { DiscoveryFiles } from "./discoveryFiles";

// The order in which make itself looks.
const makefiles = ["GNUmakefile", "makefile", "Makefile"];
const wanted: readonly (readonly [CheckKind, readonly string[]])[] = [
  ["test", ["test", "check"]],
  ["lint", ["lint"]],
  ["typecheck", ["typecheck", "type-check", "check-types"]],
];

/** `make test`, else `make check`, and `make lint` and the like, from the makefile that make would read. */
export async function discoverMakeTargets(files: DiscoveryFiles): Promise<Discovery> {
  const names = await files.listFiles(".", 1);
  const file = makefiles.find((name) => names.includes(name));
  if (file === undefined) return nothingFound;
  const targets = targetsOf((await files.readText(file)) ?? "");
  const checks = wanted.flatMap(([kind, candidates]) => {
    const target = candidates.find((name) => targets.includes(name));
    if (target === undefined) return [];
    const run = ["make", target];
    return [{ ecosystem: "make" as const, kind, name: `make-${target}`, run, provenance: `${file} ${target}` }];
  });
  return { checks, warnings: [] };
}

/** Names before the colon of rule lines; recipes, comments, assignments and special targets are none. */
function targetsOf(text: string): string[] {
  const rules = [...text.replaceAll("\\\n", " ").matchAll(/^ *([^\s#:=.][^#:=\n]*?) *::?(?![:=]).*$/gm)];
  return rules.flatMap((rule) => (rule[1] ?? "").split(/\s+/));
}
