import { parseJsonObject, parseScripts } from "../expandScripts";
import type { CheckKind, Discovery, FoundCheck } from "./discovery";
import type { DiscoveryFiles } from "./discoveryFiles";
import { isPlaceholder } from "./placeholder";

type Manager = "npm" | "pnpm" | "yarn" | "bun";

const lockfiles: readonly (readonly [string, Manager])[] = [
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];

const wanted: readonly (readonly [CheckKind, readonly string[]])[] = [
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
      : [
          {
            ecosystem: "script" as const,
            kind,
            name,
            run: commandFor(manager, name),
            provenance: `package.json scripts.${name}`,
          },
        ];
  });
  const own = checks.some((check) => check.kind === "test") || manager !== "bun" ? [] : await bunTests(files);
  return { checks: [...own, ...checks], warnings };
}

/** bun has a runner of its own, which needs no script. */
async function bunTests(files: DiscoveryFiles): Promise<FoundCheck[]> {
  const paths = await files.listFiles(".", 4);
  const test = paths.find((path) => /(?:[._]test|[._]spec)\.(?:[cm]?[jt]s|[jt]sx)$/.test(path));
  if (test === undefined) return [];
  return [{ ecosystem: "script", kind: "test", name: "bun-test", run: ["bun", "test"], provenance: test }];
}

/** The one lockfile decides, the nearest first; the `packageManager` field decides when there is none or several. */
async function chooseManager(files: DiscoveryFiles, field: unknown): Promise<{ manager: Manager; warnings: string[] }> {
  const names = await nearestLocked(files);
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

/** Packages of a monorepo are locked above them. */
async function nearestLocked(files: DiscoveryFiles): Promise<readonly string[]> {
  for (const folder of [files, ...[...(files.above ?? [])].reverse()]) {
    const names = await folder.listFiles(".", 1);
    if (lockfiles.some(([file]) => names.includes(file))) return names;
  }
  return [];
}

function commandFor(manager: Manager, script: string): string[] {
  // `bun test` is bun's own runner, not the script.
  return script === "test" && manager !== "bun" ? [manager, "test"] : [manager, "run", script];
}
