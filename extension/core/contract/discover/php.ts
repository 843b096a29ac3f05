import { parseJsonObject } from "../expandScripts";
import { nothingFound, oneCheck, type Discovery } from "./discovery";
import type { DiscoveryFiles } from "./discoveryFiles";
import { isPlaceholder } from "./placeholder";

const configs = ["phpunit.xml", "phpunit.dist.xml", "phpunit.xml.dist"];

/** phpunit where it is configured, since it can tell what it ran; else composer's `test` script. */
export async function discoverPhp(files: DiscoveryFiles): Promise<Discovery> {
  const names = await files.listFiles(".", 1);
  const found = { ecosystem: "php", kind: "test" } as const;
  const config = configs.find((name) => names.includes(name));
  if (config !== undefined)
    return oneCheck({ ...found, name: "phpunit", run: ["vendor/bin/phpunit"], provenance: config });
  const text = await files.readText("composer.json");
  if (text === null) return nothingFound;
  const manifest = parseJsonObject(text);
  if (manifest === null)
    return { checks: [], warnings: ["composer.json is not a valid JSON object: its scripts are not used as checks"] };
  if (!declaresTest(manifest["scripts"])) return nothingFound;
  return oneCheck({
    ...found,
    name: "composer-test",
    run: ["composer", "test"],
    provenance: "composer.json scripts.test",
  });
}

function declaresTest(scripts: unknown): boolean {
  const test =
    typeof scripts === "object" && scripts !== null ? (scripts as Record<string, unknown>)["test"] : undefined;
  const commands = [test].flat().filter((command) => typeof command === "string");
  return commands.some((command) => !isPlaceholder(command));
}
