import { sectionNames } from "../sectionNames";
import type { Discovery } from "./discoverChecks";
import type { DiscoveryFiles } from "./discoveryFiles";

export async function discoverCargo(files: DiscoveryFiles): Promise<Discovery> {
  const sections = sectionNames((await files.readText("Cargo.toml")) ?? "");
  if (!sections.includes("package") && !sections.includes("workspace")) return { checks: [], warnings: [] };
  return {
    checks: [{ kind: "test", name: "cargo-test", run: ["cargo", "test"], provenance: "Cargo.toml" }],
    warnings: [],
  };
}
