import type { Discovery } from "./discoverChecks";
import type { DiscoveryFiles } from "./discoveryFiles";

export async function discoverGo(files: DiscoveryFiles): Promise<Discovery> {
  if ((await files.readText("go.mod")) === null) return { checks: [], warnings: [] };
  return {
    checks: [{ kind: "test", name: "go-test", run: ["go", "test", "./..."], provenance: "go.mod" }],
    warnings: [],
  };
}
