import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Puts an extension that does nothing, unless asked to activate, where a server not yet started finds it; gives its id. */
export function installEmptyExtension(dataDir, name) {
  const folder = join(dataDir, "extensions", `bench.${name}-0.0.1`);
  const manifest = {
    ...{ name, publisher: "bench", version: "0.0.1", engines: { vscode: "^1.100.0" } },
    ...{ main: "./main.js", extensionKind: ["workspace"], activationEvents: [`onCommand:${name}.never`] },
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "main.js"), "exports.activate = () => {};\n");
  return `bench.${name}`;
}
