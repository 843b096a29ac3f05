// Finds the checks a workspace declares by itself: the same files give the same checks, each with where it comes from.
// One file per ecosystem; the order below is the ranking.
import type { CheckSpec } from "../verificationPlan";
import { discoverCargo } from "./cargo";
import type { DiscoveryFiles } from "./discoveryFiles";
import { discoverGo } from "./go";
import { discoverMakeTargets } from "./makeTargets";
import { discoverPackageScripts } from "./packageScripts";
import { discoverPytest } from "./pytest";

/** `test` checks judge behaviour; the others only add to them. */
export interface FoundCheck {
  kind: "test" | "lint" | "typecheck";
  name: string;
  run: readonly string[];
  provenance: string;
}

export interface Discovery {
  checks: readonly FoundCheck[];
  warnings: readonly string[];
}

export type Discover = (files: DiscoveryFiles) => Promise<Discovery>;

export const discoveredTimeoutMs = 600_000;

const manifests: readonly Discover[] = [discoverPackageScripts, discoverPytest, discoverCargo, discoverGo];
const lastResort: Discover = discoverMakeTargets;

/** Never rejects for what the workspace holds: a manifest that cannot be understood is a warning. */
export async function discoverChecks(files: DiscoveryFiles): Promise<{ checks: CheckSpec[]; warnings: string[] }> {
  const found: Discovery[] = [];
  for (const discover of manifests) found.push(await discover(files));
  if (!found.some(({ checks }) => checks.some((check) => check.kind === "test"))) found.push(await lastResort(files));
  return {
    checks: found.flatMap(({ checks }) => checks).map(toCheckSpec),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

function toCheckSpec({ name, run, provenance }: FoundCheck): CheckSpec {
  return { name, run, cwd: ".", timeoutMs: discoveredTimeoutMs, provenance };
}
