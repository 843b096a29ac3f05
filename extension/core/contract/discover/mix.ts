import { nothingFound, oneCheck, type Discovery } from "./discovery";
import type { DiscoveryFiles } from "./discoveryFiles";

export async function discoverMix(files: DiscoveryFiles): Promise<Discovery> {
  if ((await files.readText("mix.exs")) === null) return nothingFound;
  return oneCheck({ ecosystem: "elixir", kind: "test", name: "mix-test", run: ["mix", "test"], provenance: "mix.exs" });
}
