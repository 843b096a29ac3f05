// Which words of a final text are file names, and which file of the workspace a name can mean.

const extensions = new Set(
  (
    "c cc cpp h hpp cs css scss less csv tsv json jsonc json5 jsonl ndjson yaml yml toml ini cfg conf md mdx txt rst log " +
    "html htm xml svg png jpg jpeg gif webp pdf js mjs cjs jsx ts mts cts tsx vue svelte py pyi ipynb rb go rs java kt kts " +
    "scala swift php pl sh bash zsh ps1 bat sql sqlite gradle tf proto graphql ex exs hs lua jl dart zip tar gz xlsx docx parquet"
  ).split(" "),
);
const wholeNames = new Set([
  "Makefile",
  "Dockerfile",
  ".gitignore",
  ".env",
  ".npmrc",
  ".editorconfig",
  ".dockerignore",
]);

/** Members of objects and names of products look like files: `console.log`, `response.json`, Node.js. */
const objectMember =
  /^(?:console|logger|self|this|request|response|req|res|resp|window|document|module|process|os|np|pd|df|d3|cls|obj|object|event|ctx|math)\.\w+$/i;
const product =
  /^(?:node|next|vue|nuxt|express|three|d3|react|deno|ember|backbone|alpine|chart|moment|discord|p5|asp)\.js$/i;

/** The path a word or an inline code span names, as written but with `/`, without `./` and line number; null for anything else. */
export function toPath(text: string): string | null {
  const path = text
    .trim()
    .replaceAll("\\", "/")
    .replace(/(?::\d+){1,2}(?:-\d+)?$|#L\d+(?:-L?\d+)?$/, "")
    .replace(/^(?:\.\/)+/, "");
  if (!/^(?:[A-Za-z]:)?[\p{L}\p{N}_@.+/()[\]-]+$/u.test(path) || path.includes("//")) return null;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (wholeNames.has(name)) return path;
  if (!path.includes("/") && (objectMember.test(name) || product.test(name))) return null;
  const dot = name.lastIndexOf(".");
  return dot > 0 && extensions.has(name.slice(dot + 1).toLowerCase()) ? path : null;
}

/**
 * May this name, as a text wrote it, mean this file (relative to the root)? A text may leave folders out (`sum.ts` for
 * `src/sum.ts`), write the absolute path or begin with the root folder's own name. `root` is absolute.
 */
export function namesFile(claimed: string, file: string, root = ""): boolean {
  const rootName = root.slice(root.lastIndexOf("/") + 1);
  const prefix = [root, rootName].find((start) => start !== "" && claimed.startsWith(`${start}/`)) ?? "";
  const wanted = prefix === "" ? claimed : claimed.slice(prefix.length + 1);
  return [claimed, wanted].some((name) => file === name || file.endsWith(`/${name}`));
}
