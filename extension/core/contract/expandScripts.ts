import { programOf, simpleCommands } from "./commandWords";

export type Scripts = Readonly<Record<string, string>>;

/** A check's commands together with those of the package scripts it runs, pre and post scripts included. */
export interface ExpandedCommand {
  commands: readonly (readonly string[])[];
  /** Names of the package scripts that take part, in the order they were found. */
  scripts: readonly string[];
  /** Their texts by name. */
  texts: Scripts;
}

const maxDepth = 5;

export function expandScripts(run: readonly string[] | string, scripts: Scripts): ExpandedCommand {
  const commands: string[][] = [];
  const used: string[] = [];
  const visit = (text: readonly string[] | string, depth: number): void => {
    for (const words of simpleCommands(text)) {
      commands.push(words);
      for (const name of scriptNames(words, scripts)) {
        const body = scripts[name];
        if (body === undefined || used.includes(name) || depth >= maxDepth) continue;
        used.push(name);
        visit(body, depth + 1);
      }
    }
  };
  visit(run, 0);
  return { commands, scripts: used, texts: scripts };
}

/** The scripts that a package manager's command line runs. */
function scriptNames(words: readonly string[], scripts: Scripts): string[] {
  const program = (programOf(words) ?? "").split("/").at(-1) ?? "";
  const operands = words.slice(words.indexOf(program) + 1).filter((word) => !word.startsWith("-"));
  const [first, second] = operands;
  if (program === "node" && words.includes("--run")) return withHooks(words[words.indexOf("--run") + 1]);
  if (!["npm", "pnpm", "yarn", "bun"].includes(program) || first === undefined) return [];
  if (first === "run" || first === "run-script") return withHooks(second);
  if (program === "bun") return [];
  if (["test", "t", "tst"].includes(first)) return withHooks("test");
  return program !== "npm" && scripts[first] !== undefined ? withHooks(first) : [];
}

function withHooks(name: string | undefined): string[] {
  return name === undefined ? [] : [`pre${name}`, name, `post${name}`];
}

/** The `scripts` of a package.json text; empty when it has none or is not valid. */
export function parseScripts(text: string | null): Scripts {
  if (text === null) return {};
  const parsed = parseJsonObject(text);
  const scripts = parsed?.["scripts"];
  if (typeof scripts !== "object" || scripts === null) return {};
  return Object.fromEntries(
    Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Null when the text is not one JSON object. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch {
    return null; // the caller says what an unreadable package.json means
  }
}
