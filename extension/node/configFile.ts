import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ConfigProblem, DonegateConfig } from "../core/config/donegateConfig";
import { checkExamples, hasExamples } from "../core/config/checkExamples";
import { parseConfig, type ParsedConfig } from "../core/config/parseConfig";
import type { Hasher } from "../core/ports/hasher";
import { TreeSitterGrammar } from "./treeSitterGrammar";

const configName = "donegate.yaml";

export interface ConfigFile {
  path: string;
  text: string;
  config: DonegateConfig;
}

export interface UnusableConfig {
  ok: false;
  message: string;
  /** The first problem's place; absent when the file cannot be read at all. */
  at?: { path: string; line: number; column: number };
}

/** `named` is relative to `cwd`. Null: the workspace has none. A file that is there and cannot be read or understood is an error. */
export async function readConfigFile(
  { root, named, cwd }: { root: string; named: string | null; cwd: string },
  hasher: Hasher,
): Promise<{ ok: true; file: ConfigFile | null } | UnusableConfig> {
  const path = named === null ? join(root, configName) : resolve(cwd, named);
  const read = await readText(path);
  if (read === null) {
    return named === null ? { ok: true, file: null } : refuse(`the configuration ${path} does not exist`);
  }
  if ("problem" in read) return refuse(`the configuration ${path} cannot be read: ${read.problem}`);
  const parsed = await withExamples(read.text, parseConfig(read.text, hasher.sha256(read.text)));
  if (!parsed.ok) {
    const [first] = parsed.problems;
    const refused = refuse(describeProblems(path, parsed.problems));
    return first === undefined ? refused : { ...refused, at: { path, line: first.line, column: first.column } };
  }
  return { ok: true, file: { path, text: read.text, config: parsed.config } };
}

/** Rules may carry examples, which only the shell's grammar can check. */
async function withExamples(text: string, parsed: ParsedConfig): Promise<ParsedConfig> {
  if (!parsed.ok || !hasExamples(parsed.config)) return parsed;
  const loaded = await new TreeSitterGrammar().load();
  const problems = checkExamples(text, parsed.config, loaded.ok ? loaded.parse : null);
  return problems.length === 0 ? parsed : { ok: false, problems };
}

function describeProblems(path: string, problems: readonly ConfigProblem[]): string {
  return problems.map((problem) => `${path}:${problem.line}:${problem.column}: ${problem.message}`).join("\n");
}

async function readText(path: string): Promise<{ text: string } | { problem: string } | null> {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path)) };
  } catch (error: unknown) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return { problem: code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8 text" : (code ?? String(error)) };
  }
}

const refuse = (message: string) => ({ ok: false as const, message });
