import type { DiscoveryFiles } from "./discoveryFiles";

export type CheckKind = "test" | "lint" | "typecheck";

/** Tools that read the same manifests: what CI says about one of them replaces what its manifest says. */
export type Ecosystem =
  "script" | "python" | "rust" | "go" | "jvm" | "dotnet" | "ruby" | "php" | "elixir" | "deno" | "make";

/** `test` checks judge behaviour; the others only add to them. */
export interface FoundCheck {
  ecosystem: Ecosystem;
  kind: CheckKind;
  name: string;
  run: readonly string[];
  provenance: string;
  /** Relative to the folder that was looked at; left out for that folder itself. */
  cwd?: string;
}

export interface Discovery {
  checks: readonly FoundCheck[];
  warnings: readonly string[];
}

/** Looks at one folder. The same files give the same answer. */
export type Discover = (files: DiscoveryFiles) => Promise<Discovery>;

export const nothingFound: Discovery = { checks: [], warnings: [] };

export function oneCheck(check: FoundCheck): Discovery {
  return { checks: [check], warnings: [] };
}
