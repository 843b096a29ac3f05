// npm run package: makes donegate-<platform>-<version>.vsix for this platform, from a folder that holds nothing else.
// Option: --out FILE. Ends with 1 when the package holds anything that is not on the list below, or lacks something.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root, run, setup } from "./setup.mjs";
import { readZipEntries } from "./zipEntries.mjs";

const stage = join(root, ".cache", "package");
// What is bundled is not needed any more, and a package runs no script.
const developmentKeys = ["scripts", "devDependencies", "dependencies", "allowScripts", "bin"];
const documents = ["package.nls.json", "README.md", "CHANGELOG.md", "LICENSE", "media"];
const mostBytesWithoutRipgrep = 1_500_000;

const target = `${process.platform}-${process.arch}`;
const ripgrep = `node_modules/@vscode/ripgrep-${target}`;
const ripgrepProgram = `extension/dist/${ripgrep}/bin/${process.platform === "win32" ? "rg.exe" : "rg"}`;

const required = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  "extension/package.json",
  "extension/package.nls.json",
  "extension/readme.md",
  "extension/changelog.md",
  "extension/LICENSE.txt",
  "extension/dist/extension.js",
  "extension/dist/engine.js",
  "extension/dist/webview.js",
  "extension/dist/grammar/web-tree-sitter.wasm",
  "extension/dist/grammar/tree-sitter-bash.wasm",
  ripgrepProgram,
];
const allowed = [
  "extension/dist/webview.css",
  `extension/dist/${ripgrep}/package.json`,
  `extension/dist/${ripgrep}/LICENSE`,
];
const allowedPatterns = [/^extension\/media\/[^/]+\.(?:svg|png|md)$/, /^extension\/media\/(?:demo|walkthrough)\//];

function main() {
  const { values } = parseArgs({ options: { out: { type: "string" } } });
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const out = resolve(values.out ?? join(root, `donegate-${target}-${version}.vsix`));
  const { node, env } = setup();
  const start = (script, words, cwd) => run(node, [join(root, script), ...words], { cwd, env });
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(join(stage, "dist"), { recursive: true });
  const only = ["extension", "engine", "webview"].flatMap((name) => ["--only", name]);
  start("esbuild.mjs", ["--production", ...only, "--into", join(stage, "dist")], root);
  fillStage();
  rmSync(out, { force: true });
  const words = ["package", "--no-dependencies", "--target", target, "--out", out];
  start(
    "node_modules/@vscode/vsce/vsce",
    [...words, "--allow-missing-repository", "--no-rewrite-relative-links"],
    stage,
  );
  const problems = inspect(readZipEntries(out));
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

function fillStage() {
  for (const name of documents) cpSync(join(root, name), join(stage, name), { recursive: true });
  // Beside the bundle that looks for it: a folder named node_modules at the top would be left out.
  cpSync(join(root, ripgrep), join(stage, "dist", ripgrep), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const key of developmentKeys) delete manifest[key];
  writeFileSync(join(stage, "package.json"), JSON.stringify(manifest, null, 2));
  writeFileSync(join(stage, ".vscodeignore"), `dist/${ripgrep}/README.md\n`);
}

function inspect(entries) {
  const names = new Set(entries.map(({ name }) => name));
  const isAllowed = (name) =>
    required.includes(name) || allowed.includes(name) || allowedPatterns.some((pattern) => pattern.test(name));
  const problems = [...names].filter((name) => !isAllowed(name)).map((name) => `the package must not hold ${name}`);
  for (const name of required) if (!names.has(name)) problems.push(`the package lacks ${name}`);
  const program = entries.find(({ name }) => name === ripgrepProgram);
  if (process.platform !== "win32" && program !== undefined && (program.mode & 0o111) === 0)
    problems.push("ripgrep is not executable in the package");
  const bytes = entries.reduce((sum, entry) => sum + (entry === program ? 0 : entry.packedBytes), 0);
  console.log(`${names.size} files, ${(bytes / 1000).toFixed(0)} KB packed without ripgrep`);
  if (bytes > mostBytesWithoutRipgrep)
    problems.push(`too big without ripgrep: more than ${mostBytesWithoutRipgrep} bytes`);
  return problems;
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
