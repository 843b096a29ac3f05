// Finds the checks a workspace declares by itself: the same files give the same checks, each with where it comes from.
// Ranked: what CI runs, then what manifests declare, then make targets; a lower rank only adds what no higher one has.
import { joinPath } from "../contractPaths";
import type { CheckSpec } from "../verificationPlan";
import { discoverCargo } from "./cargo";
import { discoverDeno } from "./deno";
import { discoverDotnet } from "./dotnet";
import type { Discover, Discovery, FoundCheck } from "./discovery";
import { below, type DiscoveryFiles } from "./discoveryFiles";
import { discoverGo } from "./go";
import { discoverJvm } from "./jvm";
import { discoverMakeTargets } from "./makeTargets";
import { discoverMix } from "./mix";
import { discoverPackageScripts } from "./packageScripts";
import { findPackages } from "./packages";
import { discoverPhp } from "./php";
import { discoverPython } from "./python";
import { discoverRuby } from "./ruby";
import { discoverWorkflows } from "./workflows";

const discoveredTimeoutMs = 600_000;

const manifests: readonly Discover[] = [
  discoverPackageScripts,
  discoverDeno,
  discoverPython,
  discoverCargo,
  discoverGo,
  discoverJvm,
  discoverDotnet,
  discoverRuby,
  discoverPhp,
  discoverMix,
];

/** Never rejects for what the workspace holds: a manifest that cannot be understood is a warning. */
export async function discoverChecks(files: DiscoveryFiles): Promise<{ checks: CheckSpec[]; warnings: string[] }> {
  const workflows = await discoverWorkflows(files);
  const own = await discoverFolder(files);
  const found = join(workflows, own);
  const declared = found.checks.some(isTest) ? found : join(found, await discoverPackages(files));
  return { checks: withOwnNames(declared.checks).map(toCheckSpec), warnings: [...new Set(declared.warnings)] };
}

async function discoverFolder(files: DiscoveryFiles): Promise<Discovery> {
  let found: Discovery = { checks: [], warnings: [] };
  for (const discover of manifests) found = add(found, await discover(files));
  const targets = await discoverMakeTargets(files);
  const known = new Set(found.checks.map((check) => check.kind));
  return add(found, { ...targets, checks: targets.checks.filter((check) => !known.has(check.kind)) });
}

/** Where the root declares no test, its packages do. */
async function discoverPackages(files: DiscoveryFiles): Promise<Discovery> {
  let found: Discovery = { checks: [], warnings: [] };
  for (const folder of await findPackages(files)) {
    const { checks, warnings } = await discoverFolder(below(files, folder));
    const placed = checks.map((check) => ({
      ...check,
      name: `${folder}/${check.name}`,
      cwd: joinPath(folder, check.cwd ?? "."),
      provenance: `${folder}/${check.provenance}`,
    }));
    found = add(found, { checks: placed, warnings: warnings.map((warning) => `${folder}: ${warning}`) });
  }
  return found;
}

function add(first: Discovery, second: Discovery): Discovery {
  return { checks: [...first.checks, ...second.checks], warnings: [...first.warnings, ...second.warnings] };
}

/** What the first rank says about a kind of check in an ecosystem stands for the second. */
function join(first: Discovery, second: Discovery): Discovery {
  const known = new Set(first.checks.map((check) => `${check.ecosystem} ${check.kind}`));
  const commands = new Set(first.checks.map(toKey));
  const added = second.checks.filter(
    (check) => !known.has(`${check.ecosystem} ${check.kind}`) && !commands.has(toKey(check)),
  );
  return add(first, { ...second, checks: added });
}

const toKey = ({ run, cwd = "." }: FoundCheck): string => JSON.stringify([cwd, run]);
const isTest = (check: FoundCheck): boolean => check.kind === "test";

/** A name stands for one check: the second of a name gets a number. */
function withOwnNames(checks: readonly FoundCheck[]): FoundCheck[] {
  const used = new Set<string>();
  return checks.map((check) => {
    let name = check.name;
    for (let at = 2; used.has(name); at += 1) name = `${check.name}-${at}`;
    used.add(name);
    return { ...check, name };
  });
}

function toCheckSpec({ name, run, cwd = ".", provenance }: FoundCheck): CheckSpec {
  return { name, run, cwd, timeoutMs: discoveredTimeoutMs, provenance };
}
