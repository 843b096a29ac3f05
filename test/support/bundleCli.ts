import { cpSync, mkdtempSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { build } from "esbuild";

/** Bundles a command line's entry as `cli.cjs` into a new folder, with the grammar beside it; answers the folder. */
export async function bundleCli(entry: string): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cli-")));
  await build({
    entryPoints: [entry],
    outfile: join(folder, "cli.cjs"),
    ...{ bundle: true, platform: "node", format: "cjs", target: "node20", logLevel: "warning" },
    mainFields: ["module", "main"],
    define: { "import.meta.url": "importMetaUrl" },
    banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
  });
  for (const file of ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"]) {
    cpSync(createRequire(import.meta.url).resolve(file), join(folder, "grammar", basename(file)));
  }
  return folder;
}
