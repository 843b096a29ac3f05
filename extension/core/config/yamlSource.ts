// YAML text to plain values, with the place of each. Only the plain part of YAML: one document, text keys, no aliases, no tags.
import { Composer, LineCounter, Parser, isAlias, isMap, isNode, isScalar, isSeq } from "yaml";
import type { CST, Node, Pair, YAMLError } from "yaml";
import type { ConfigProblem } from "./donegateConfig";

export type YamlPath = readonly PropertyKey[];

export interface YamlSource {
  value: unknown;
  /** Where the value at `path` stands, or its key; where there is none, the nearest thing around it. */
  placeOf(path: YamlPath, part: "key" | "value"): { line: number; column: number };
}

const longestText = 256 * 1024;
const deepestNode = 40;
const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** A text without content has the value null. */
export function parseYaml(
  text: string,
): { ok: true; source: YamlSource } | { ok: false; problems: readonly ConfigProblem[] } {
  const lines = new LineCounter();
  const problemAt = (offset: number, message: string): ConfigProblem => ({ ...toPlace(lines, offset), message });
  if (text.length > longestText) return { ok: false, problems: [problemAt(0, "the file is longer than 256 KB")] };

  const tokens = [...new Parser(lines.addNewLine).parse(text.replace(/^\uFEFF/, ""))];
  const deep = tooDeep(tokens);
  if (deep !== null) return { ok: false, problems: [problemAt(deep, `nested deeper than ${deepestNode} levels`)] };
  const [document, second] = [
    ...new Composer({ lineCounter: lines, prettyErrors: false }).compose(tokens, true, text.length),
  ];
  if (document === undefined) return { ok: true, source: emptySource };
  if (second !== undefined) {
    return { ok: false, problems: [problemAt(second.range[0], "only one document may stand in the file")] };
  }
  const faults = [...document.errors, ...document.warnings].map((fault) => problemAt(fault.pos[0], toMessage(fault)));
  if (faults.length > 0) return { ok: false, problems: faults };
  const unplain: ConfigProblem[] = [];
  findUnplain(document.contents, (node, message) => unplain.push(problemAt(node.range?.[0] ?? 0, message)));
  if (unplain.length > 0) return { ok: false, problems: unplain };
  return {
    ok: true,
    source: {
      value: document.toJS(),
      placeOf: (path, part) => toPlace(lines, offsetOf(document.contents, path, part)),
    },
  };
}

const emptySource: YamlSource = { value: null, placeOf: () => ({ line: 1, column: 1 }) };

function toPlace(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function toMessage(fault: YAMLError): string {
  if (fault.code === "TAB_AS_INDENT") return "a tab may not indent: use spaces";
  if (fault.code === "DUPLICATE_KEY") return "this key stands twice in the same map";
  return `not valid YAML: ${fault.message.split("\n", 1)[0] ?? ""}`;
}

/**
 * Where the text nests too deep, or null. Looked at before anything recursive reads it: thousands of levels end the whole
 * process, not only the parse.
 */
function tooDeep(tokens: readonly CST.Token[]): number | null {
  const waiting = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (depth > deepestNode) return token.offset;
    for (const child of childrenOf(token)) waiting.push({ token: child, depth: depth + 1 });
  }
  return null;
}

function childrenOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === "document") return token.value === undefined ? [] : [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap((item) => [item.key, item.value]).filter((child) => child !== null && child !== undefined);
}

type Complain = (node: Node, message: string) => void;

function findUnplain(node: unknown, complain: Complain): void {
  if (!isNode(node)) return;
  if (isAlias(node)) return complain(node, "aliases are not supported: write the value out");
  if (isSeq(node)) for (const item of node.items) findUnplain(item, complain);
  if (!isMap(node)) return;
  for (const pair of node.items) {
    const key = pair.key;
    if (!isScalar(key) || typeof key.value !== "string") {
      complain(isNode(key) ? key : node, "a key has to be text: put it in quotes");
    } else if (forbiddenKeys.has(key.value)) {
      complain(key, `"${key.value}" may not be a key`);
    }
    findUnplain(pair.value, complain);
  }
}

function offsetOf(contents: Node | null, path: YamlPath, part: "key" | "value"): number {
  let node: unknown = contents;
  let key: unknown = contents;
  for (const [index, segment] of path.entries()) {
    const pair: Pair | undefined = isMap(node) ? node.items.find((each) => isKey(each.key, segment)) : undefined;
    const next: unknown = pair?.value ?? (isSeq(node) ? node.items[Number(segment)] : undefined);
    // Something is missing here: the key of what should hold it is the place.
    if (pair === undefined && next === undefined) return startOf(key);
    key = pair?.key ?? next;
    if (next === undefined || next === null || (part === "key" && index === path.length - 1)) return startOf(key);
    node = next;
  }
  return startOf(node);
}

function isKey(key: unknown, segment: PropertyKey): boolean {
  return isScalar(key) && key.value === segment;
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
