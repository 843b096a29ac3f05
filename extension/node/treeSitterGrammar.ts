import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Parser, TreeCursor } from "web-tree-sitter";
import { errorText } from "../core/errorText";
import type { ParsedShell, ShellGrammar, ShellSyntax } from "../core/ports/shellGrammar";

type Loaded = Awaited<ReturnType<ShellGrammar["load"]>>;

/** The bash grammar of tree-sitter as WebAssembly. Nothing is read before the first command; one runtime for the whole process. */
export class TreeSitterGrammar implements ShellGrammar {
  load(): Promise<Loaded> {
    loading ??= loadParser();
    return loading;
  }
}

let loading: Promise<Loaded> | undefined;

async function loadParser(): Promise<Loaded> {
  try {
    const { Parser, Language } = await import("web-tree-sitter");
    const runtime = findFile("web-tree-sitter/web-tree-sitter.wasm");
    await Parser.init({ locateFile: () => runtime });
    const parser = new Parser();
    parser.setLanguage(await Language.load(findFile("tree-sitter-bash/tree-sitter-bash.wasm")));
    return { ok: true, parse: (text) => parse(parser, text) };
  } catch (error: unknown) {
    return { ok: false, message: `the shell grammar does not load: ${errorText(error)}` };
  }
}

/** Beside the bundle in a package, in its own package in the sources. */
function findFile(specifier: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const name = specifier.slice(specifier.indexOf("/") + 1);
  const beside = [join(here, "grammar", name), join(dirname(here), "grammar", name)].find((path) => existsSync(path));
  return beside ?? createRequire(import.meta.url).resolve(specifier);
}

function parse(parser: Parser, text: string): ParsedShell {
  const tree = parser.parse(text);
  if (tree === null) throw new Error("the shell grammar gave no tree");
  const cursor = tree.walk();
  try {
    return { root: toSyntax(cursor, text), broken: tree.rootNode.hasError };
  } finally {
    cursor.delete();
    tree.delete();
  }
}

/** With a list of open nodes in place of recursion: nesting is as deep as whoever wrote the text likes. */
function toSyntax(cursor: TreeCursor, text: string): ShellSyntax {
  const root = openNode(cursor, text);
  const open = [root];
  for (;;) {
    if (cursor.gotoFirstChild()) {
      const node = openNode(cursor, text);
      open.at(-1)?.children.push(node);
      open.push(node);
      continue;
    }
    for (;;) {
      open.pop();
      if (open.length === 0) return root;
      if (cursor.gotoNextSibling()) break;
      cursor.gotoParent();
    }
    const node = openNode(cursor, text);
    open.at(-1)?.children.push(node);
    open.push(node);
  }
}

function openNode(cursor: TreeCursor, text: string): ShellSyntax & { children: ShellSyntax[] } {
  const { nodeType: type, nodeIsNamed: named, startIndex: start, endIndex: end } = cursor;
  return { type, named, field: cursor.currentFieldName, text: text.slice(start, end), start, end, children: [] };
}
