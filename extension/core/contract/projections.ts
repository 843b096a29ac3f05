// The deciding part of a file that is shared with other purposes: only that part is the contract,
// so that a dependency or a tool section can be added freely.
import { baseName } from "./contractPaths";
import { parseJsonObject } from "./expandScripts";
import { canonicalJson } from "../journal/canonicalJson";
import { readXml } from "./runners/reports/xmlDocument";

type Projection = (text: string) => string;

const packageKeys = ["scripts", "type", "workspaces", "jest", "vitest", "mocha", "ava", "nyc", "c8", "tap"];
const composerKeys = ["scripts", "scripts-aliases", "autoload", "autoload-dev", "config"];

const projections: Readonly<Record<string, Projection>> = {
  "package.json": (text) => projectJson(text, packageKeys),
  "composer.json": (text) => projectJson(text, composerKeys),
  "pom.xml": projectPom,
  "pyproject.toml": (text) =>
    projectToml(text, ["tool.pytest", "tool.coverage", "tool.tox", "tool.ruff", "tool.mypy", "tool.pyright"]),
  "Cargo.toml": (text) =>
    projectToml(text, [
      "test",
      "lib",
      "profile.test",
      "workspace.members",
      "workspace.exclude",
      "workspace.default-members",
      "package.autotests",
      "package.build",
    ]),
  "setup.cfg": (text) => projectIni(text, ["tool:pytest", "coverage:", "mypy"]),
  "tox.ini": (text) => projectIni(text, ["pytest", "tool:pytest", "coverage:", "tox", "testenv"]),
};

export function isProjected(path: string): boolean {
  return projections[baseName(path)] !== undefined;
}

/** The deciding part as text; the empty text for an absent file, so that making one without a deciding part changes nothing. */
export function deciding(path: string, text: string | null): string {
  const project = projections[baseName(path)];
  if (text === null) return "";
  return project === undefined ? text : project(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"));
}

function projectJson(text: string, keys: readonly string[]): string {
  const parsed = parseJsonObject(text);
  if (parsed === null) return `unreadable\n${text}`;
  const kept = Object.fromEntries(keys.filter((key) => key in parsed).map((key) => [key, parsed[key]]));
  return Object.keys(kept).length === 0 ? "" : canonicalJson(kept);
}

const pomParts = ["parent", "packaging", "properties", "modules", "build", "profiles"];

function projectPom(text: string): string {
  const root = readXml(text);
  if (root === null) return `unreadable\n${text}`;
  const kept = root.children.filter((child) => pomParts.includes(child.name));
  return kept.length === 0 ? "" : canonicalJson(kept);
}

function projectIni(text: string, wanted: readonly string[]): string {
  const kept: string[] = [];
  let keeping = false;
  for (const line of text.split("\n")) {
    const header = /^\[(.*)\]\s*(?:[#;].*)?$/.exec(line)?.[1];
    if (header !== undefined) keeping = wanted.some((name) => header.trim().startsWith(name));
    if (keeping && !/^\s*(?:[#;]|$)/.test(line)) kept.push(line.trimEnd());
  }
  return kept.join("\n");
}

/**
 * Keeps every statement that sets something under a wanted name, however it is spelt: as a table, a dotted key,
 * a quoted key or an inline table above it.
 */
function projectToml(text: string, wanted: readonly string[]): string {
  const kept: string[] = [];
  let table = "";
  for (const statement of tomlStatements(text)) {
    const header = /^\[\[?([^\]]*)\]/.exec(statement)?.[1];
    if (header !== undefined) table = plainKey(header);
    const key = header === undefined ? plainKey(statement.slice(0, Math.max(statement.indexOf("="), 0))) : "";
    const name = [table, key].filter(Boolean).join(".");
    const touches = wanted.some(
      (want) => name.startsWith(want) || (header === undefined && want.startsWith(`${name}.`)),
    );
    // An escaped key could spell a wanted name: better to guard one statement too many.
    if (touches || name.includes("\\")) kept.push(statement);
  }
  return kept.join("\n");
}

function plainKey(key: string): string {
  return key.replace(/["'\s]/g, "");
}

/** Headers and `key = value` statements, each whole even over several lines; comments between them are left out. */
function tomlStatements(text: string): string[] {
  const statements: string[] = [];
  let open = "";
  for (const line of text.split("\n")) {
    if (open === "" && /^\s*(?:#|$)/.test(line)) continue;
    open = open === "" ? line.trim() : `${open}\n${line.trimEnd()}`;
    if (isWhole(open)) {
      statements.push(open);
      open = "";
    }
  }
  return open === "" ? statements : [...statements, open];
}

/** Whether all strings and brackets of a TOML statement are closed. */
function isWhole(statement: string): boolean {
  const token = /"""|'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}]/g;
  let depth = 0;
  for (let match = token.exec(statement); match !== null; match = token.exec(statement)) {
    const [found] = match;
    if (found === '"""' || found === "'''") {
      const end = statement.indexOf(found, token.lastIndex);
      if (end < 0) return false;
      token.lastIndex = end + 3;
    } else if (found === "[" || found === "{") depth += 1;
    else if (found === "]" || found === "}") depth -= 1;
  }
  return depth <= 0;
}
