// The import table of docs/architecture.md as a lint rule: who may import whom under extension/ and webview/.
// It resolves relative paths, so "../node/x" is seen from any depth.
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";

const anything = /^/;
const nodeBuiltin = /^node:/;
const vscodeItself = /^vscode$/;

/**
 * rooms: folders a room may import. types: folders it may import by `import type` only.
 * packages: the only packages allowed (absent: all). refused: packages that are never allowed.
 */
const table = {
  core: {
    rooms: ["core"],
    packages: /^(?:zod|yaml|diff|picomatch)(?:\/|$)/,
    advice:
      "core is pure: declare a port in extension/core/ports and let an adapter in extension/node or extension/host do it",
  },
  protocol: {
    rooms: ["protocol"],
    types: ["core"],
    refused: [vscodeItself, nodeBuiltin],
    advice:
      "protocol holds types and parsers: use `import type` from core, and move behaviour to the room that needs it",
  },
  node: {
    rooms: ["node", "core"],
    refused: [vscodeItself],
    advice: "node implements core's ports: take what it needs as an argument from compose.ts",
  },
  host: {
    rooms: ["host", "core", "protocol"],
    advice: "host reaches adapters through extension/compose.ts: accept the port and let compose.ts pass it in",
  },
  server: {
    rooms: ["server", "core", "protocol", "node"],
    refused: [vscodeItself],
    advice: "the language server runs without the editor: put what both sides share in core or protocol",
  },
  cli: {
    rooms: ["cli", "core", "node"],
    refused: [vscodeItself],
    advice: "the CLI has its own compose.ts and runs without the editor: put shared behaviour in core or node",
  },
  webview: {
    rooms: ["webview", "protocol"],
    refused: [vscodeItself, nodeBuiltin],
    advice: "the webview knows only protocol messages: add a message in extension/protocol instead",
  },
  assembly: {
    rooms: ["assembly", "core", "protocol", "node", "host"],
    advice: "main.ts and compose.ts assemble the extension; server, cli and webview are bundles of their own",
  },
};

/** The room a path belongs to; undefined for paths the table does not speak of (tests, build files). */
export function roomOf(root, path) {
  const inside = relative(root, path);
  if (inside.startsWith("..") || isAbsolute(inside)) return undefined;
  const [top, second, third] = inside.split(sep);
  if (top === "webview") return "webview";
  if (top !== "extension" || second === undefined) return undefined;
  return third === undefined && !Object.hasOwn(table, second) ? "assembly" : second;
}

/** Why `file` may not import `specifier`, as one sentence, or undefined when it may. */
export function findViolation({ root, file, specifier, isTypeOnly }) {
  const from = roomOf(root, file);
  if (from === undefined) return undefined;
  const rules = table[from];
  if (rules === undefined)
    return `extension/${from} is not a room of the import table; add it to .ci/lint/importTable.mjs`;
  const refusal = /^\.\.?(?:\/|$)/.test(specifier)
    ? refuseFile(rules, root, resolve(dirname(file), specifier), isTypeOnly)
    : refusePackage(rules, specifier);
  return refusal === undefined ? undefined : `${from} may not import ${refusal}; ${rules.advice}`;
}

function refuseFile(rules, root, target, isTypeOnly) {
  const to = roomOf(root, target);
  if (to !== undefined && rules.rooms.includes(to)) return undefined;
  if (to !== undefined && rules.types?.includes(to)) return isTypeOnly ? undefined : `values from ${to}`;
  return to ?? `files outside extension/ (${relative(root, target)})`;
}

function refusePackage(rules, specifier) {
  if (specifier === "picomatch" && rules === table.core)
    return '"picomatch" (it asks for the platform), use "picomatch/posix"';
  const isAllowed = (rules.packages ?? anything).test(specifier);
  const isRefused = rules.refused?.some((pattern) => pattern.test(specifier)) ?? false;
  return isAllowed && !isRefused ? undefined : `"${specifier}"`;
}

function isTypeOnlyStatement(node) {
  return node.importKind === "type" || node.exportKind === "type";
}

export const importTable = {
  meta: { type: "problem", schema: [], messages: { crossed: "{{text}}" } },
  create(context) {
    const check = (source, isTypeOnly) => {
      if (source?.type !== "Literal" || typeof source.value !== "string") return;
      const text = findViolation({ root: context.cwd, file: context.filename, specifier: source.value, isTypeOnly });
      if (text !== undefined) context.report({ node: source, messageId: "crossed", data: { text } });
    };
    const checkStatement = (node) => check(node.source, isTypeOnlyStatement(node));
    return {
      ImportDeclaration: checkStatement,
      ExportAllDeclaration: checkStatement,
      ExportNamedDeclaration: checkStatement,
      ImportExpression: (node) => check(node.source, false),
      TSImportType: (node) => check(node.source ?? node.argument?.literal, true),
      TSExternalModuleReference: (node) => check(node.expression, false),
      CallExpression: (node) => {
        if (node.callee.type === "Identifier" && node.callee.name === "require") check(node.arguments[0], false);
      },
    };
  },
};
