// Builds every bundle. Flags: --watch, --production, --only <name> (extension, engine, cli, webview, neutral; may
// repeat), --into <folder> in place of dist, --metafile to write beside each bundle what it is made of.
import { chmod, copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, context } from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));

const { values: flags } = parseArgs({
  options: {
    watch: { type: "boolean", default: false },
    production: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    into: { type: "string", default: "dist" },
    metafile: { type: "boolean", default: false },
  },
});

const base = {
  absWorkingDir: root,
  bundle: true,
  sourcemap: flags.production ? false : "linked",
  minify: flags.production,
  legalComments: "none",
  logLevel: "warning",
  target: "node20",
};

// A CommonJS bundle has no import.meta, yet some of our packages are ES modules that read import.meta.url.
const moduleUrlBanner = 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;';
const nodeBundle = {
  ...base,
  platform: "node",
  format: "cjs",
  // "module" first: some packages' "main" is a UMD file whose requires esbuild cannot see.
  mainFields: ["module", "main"],
  define: { "import.meta.url": "importMetaUrl" },
};

/** Read at run time, from a folder beside the bundles that do. */
const grammarFiles = ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"];

const corePackages = ["zod", "yaml", "diff", "picomatch"];

/** @type {Record<string, import("esbuild").BuildOptions>} */
const bundles = {
  /** What VS Code loads at activation. It stays small: the rest is required from dist/engine.js on first use. */
  extension: {
    ...nodeBundle,
    entryPoints: ["extension/main.ts"],
    outfile: "dist/extension.js",
    external: ["vscode"],
    banner: { js: moduleUrlBanner },
    plugins: [engineApartPlugin()],
  },
  engine: {
    ...nodeBundle,
    entryPoints: ["extension/engine.ts"],
    outfile: "dist/engine.js",
    external: ["vscode"],
    banner: { js: moduleUrlBanner },
  },
  cli: {
    ...nodeBundle,
    entryPoints: ["extension/cli/main.ts"],
    outfile: "dist/cli.js",
    banner: { js: `#!/usr/bin/env node\n${moduleUrlBanner}` },
  },
  /** The transcript's page: dist/webview.js and, for what it imports as CSS, dist/webview.css. */
  webview: {
    ...base,
    platform: "browser",
    format: "iife",
    target: "chrome120",
    jsx: "automatic",
    jsxImportSource: "preact",
    entryPoints: ["webview/main.tsx"],
    outfile: "dist/webview.js",
  },
  // Proves that the engine needs no host. Nothing loads the file.
  neutral: {
    ...base,
    platform: "neutral",
    format: "esm",
    target: "es2022",
    mainFields: ["module", "main"],
    entryPoints: ["extension/core/index.ts"],
    outfile: "dist/neutral/core.mjs",
    plugins: [pureCorePlugin()],
  },
};

/** Leaves `import("./engine")` to Node: with one file per CommonJS bundle, esbuild would put the engine into the entry. */
function engineApartPlugin() {
  return {
    name: "engine-apart",
    setup(builder) {
      builder.onResolve({ filter: /^\.\/engine$/ }, ({ kind }) =>
        kind === "dynamic-import"
          ? { path: "./engine.js", external: true }
          : { errors: [{ text: 'the engine is loaded on first use: write `await import("./engine")`' }] },
      );
    },
  };
}

/** Refuses every import of core that is neither core's own nor one of its four packages. */
function pureCorePlugin() {
  const coreFolder = join(root, "extension", "core");
  const packageNames = corePackages.join("|");
  const allowedPackage = new RegExp(`^(?:${packageNames})(?:/|$)`);
  const insideAllowedPackage = new RegExp(`[\\\\/]node_modules[\\\\/](?:${packageNames})[\\\\/]`);
  return {
    name: "pure-core",
    setup(builder) {
      builder.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        if (kind === "entry-point" || insideAllowedPackage.test(importer)) return undefined;
        const isRelative = /^\.\.?(?:\/|$)/.test(path);
        const leavesCore = relative(coreFolder, join(dirname(importer), path)).startsWith("..");
        if (isRelative ? !leavesCore : allowedPackage.test(path)) return undefined;
        const text = `core imports "${path}": core may use only itself and ${corePackages.join(", ")}; declare a port instead`;
        return { errors: [{ text }] };
      });
    },
  };
}

async function copyGrammar(folder) {
  await mkdir(folder, { recursive: true });
  await Promise.all(
    grammarFiles.map((file) => copyFile(join(root, "node_modules", file), join(folder, basename(file)))),
  );
}

/** esbuild has printed what it found in the sources itself; those errors carry a list. Nobody has printed the others. */
function describeUnlogged(error) {
  return Array.isArray(error?.errors) ? "" : ` (${error?.message ?? error})`;
}

async function main() {
  const names = flags.only.length > 0 ? flags.only : Object.keys(bundles);
  const unknown = names.filter((name) => !Object.hasOwn(bundles, name));
  if (unknown.length > 0) throw new Error(`unknown bundle: ${unknown.join(", ")}`);
  const missing = names.flatMap((name) => bundles[name].entryPoints).filter((entry) => !existsSync(join(root, entry)));
  if (missing.length > 0) throw new Error(`missing entry: ${missing.join(", ")}`);

  if (flags.only.length === 0 && !flags.watch) await rm(resolve(root, flags.into), { recursive: true, force: true });
  if (names.includes("cli") || names.includes("engine")) await copyGrammar(resolve(root, flags.into, "grammar"));
  if (flags.watch) {
    for (const name of names) await (await context({ ...bundles[name], logLevel: "info" })).watch();
    return;
  }
  const outfile = (name) => join(flags.into, relative("dist", bundles[name].outfile));
  const buildOne = async (name) => {
    const { metafile } = await build({ ...bundles[name], outfile: outfile(name), metafile: flags.metafile });
    if (metafile) await writeFile(resolve(root, `${outfile(name)}.meta.json`), JSON.stringify(metafile));
  };
  const results = await Promise.allSettled(names.map(buildOne));
  const failed = names.flatMap((name, index) =>
    results[index].status === "rejected" ? [`${name}${describeUnlogged(results[index].reason)}`] : [],
  );
  if (failed.length > 0) throw new Error(`could not build: ${failed.join(", ")}`);
  if (names.includes("cli")) await chmod(resolve(root, outfile("cli")), 0o755);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
