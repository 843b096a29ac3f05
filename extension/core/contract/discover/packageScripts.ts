import { parseJsonObject, parseScripts } from "../expandScripts";
import type { Discovery, FoundCheck } from "./discoverChecks";
import type { DiscoveryFiles } from "./discoveryFiles";

type Manager = "npm" | "pnpm" | "yarn" | "bun";

const lockfiles: readonly (readonly [string, Manager])[] = [
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];

const wanted: readonly (readonly [FoundCheck["kind"], readonly string[]])[] = [
  ["test", ["test"]],
  ["lint", ["lint"]],
  ["typecheck", ["typecheck", "type-check", "check-types"]],
];

/** `test`, `lint` and `typecheck` scripts of package.json, run by the manager whose lockfile is there. */
export async function discoverPackageScripts(files: DiscoveryFiles): Promise<Discovery> {
  const text = await files.readText("package.json");
  if (text === null) return { checks: [], warnings: [] };
  const manifest = parseJsonObject(text);
  if (manifest === null)
    return { checks: [], warnings: ["package.json is not a valid JSON object: its scripts are not used as checks"] };
  const scripts = parseScripts(text);
  const { manager, warnings } = await chooseManager(files, manifest["packageManager"]);
  const checks = wanted.flatMap(([kind, names]) => {
    const name = names.find((candidate) => !isPlaceholder(scripts[candidate] ?? ""));
    return name === undefined
      ? []
      : [{ kind, name, run: commandFor(manager, name), provenance: `package.json scripts.${name}` }];
  });
  return { checks, warnings };
}

/** The one lockfile decides; the `packageManager` field decides when there is none or several. */
async function chooseManager(files: DiscoveryFiles, field: unknown): Promise<{ manager: Manager; warnings: string[] }> {
  const names = await files.listFiles(".", 1);
  const present = lockfiles.filter(([file]) => names.includes(file)).map(([, manager]) => manager);
  const locked = [...new Set(present)];
  const declared = typeof field === "string" ? field.split("@")[0] : undefined;
  const named = lockfiles.find(([, manager]) => manager === declared)?.[1];
  const [first] = locked;
  if (locked.length > 1 && named === undefined) {
    return {
      manager: first ?? "npm",
      warnings: [`several lockfiles (${locked.join(", ")}): scripts are run by ${first ?? "npm"}`],
    };
  }
  return { manager: locked.length === 1 ? (first ?? "npm") : (named ?? "npm"), warnings: [] };
}

function commandFor(manager: Manager, script: string): string[] {
  // `bun test` is bun's own runner, not the script.
  return script === "test" && manager !== "bun" ? [manager, "test"] : [manager, "run", script];
}

/** A script that only prints or ends says nothing about the work. */
function isPlaceholder(script: string): boolean {
  if (/[|<>`]|\$\(/.test(script.replaceAll("||", ""))) return false;
  return script
    .split(/&&|\|\||[;\n]/)
    .every((part) => /^\s*(?:(?:echo|printf)\b.*|exit(?:\s+\d+)?|true|false|:)?\s*$/.test(part));
}
