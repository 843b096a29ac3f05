import { sectionNames } from "../sectionNames";
import { nothingFound, oneCheck, type Discovery } from "./discovery";
import type { DiscoveryFiles } from "./discoveryFiles";

/** `cargo test`, or nextest where the project configures it. */
export async function discoverCargo(files: DiscoveryFiles): Promise<Discovery> {
  const sections = sectionNames((await files.readText("Cargo.toml")) ?? "");
  if (!sections.includes("package") && !sections.includes("workspace")) return nothingFound;
  const found = { ecosystem: "rust", kind: "test" } as const;
  if ((await files.readText(".config/nextest.toml")) !== null)
    return oneCheck({
      ...found,
      name: "cargo-nextest",
      run: ["cargo", "nextest", "run"],
      provenance: ".config/nextest.toml",
    });
  return oneCheck({ ...found, name: "cargo-test", run: ["cargo", "test"], provenance: "Cargo.toml" });
}
