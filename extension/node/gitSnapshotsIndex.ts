// What is done to the shadow's index: put paths in, take paths out, list what is in it.
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import type { ShadowRepository } from "./shadowRepository";

export interface IndexEntry {
  object: string;
  /** Byte path. */
  path: string;
}

const addArguments = ["update-index", "--add", "--remove", "--replace"];
/** Files git could not read, dropped one at a time: each costs a pass. */
const maxRounds = 50;

/**
 * Brings the entries of `paths` up to what is on the disk. `hashOnly` does not store their bytes.
 * A path that cannot be read loses its entry and does not keep the others out.
 */
export async function addPaths(
  shadow: ShadowRepository,
  paths: readonly string[],
  options: { root: string; hashOnly: boolean; signal: AbortSignal },
): Promise<void> {
  const args = [...addArguments, ...(options.hashOnly ? ["--info-only"] : []), "-z", "--stdin"];
  const blocked = new Set<string>();
  let rest = paths;
  for (let round = 0; rest.length > 0; round++) {
    const answer = await shadow.attempt(args, { input: toInput(rest), signal: options.signal });
    if (answer.exitCode === 0) break;
    const culprits = round === 0 ? await findUnreadable(options.root, rest) : [];
    const named = culprits.length > 0 ? culprits : findNamed(rest, answer.stderr);
    if (named.length === 0 || round === maxRounds) throw shadow.explain(answer);
    for (const path of named) blocked.add(path);
    rest = rest.filter((path) => !blocked.has(path));
  }
  if (blocked.size > 0) await removePaths(shadow, [...blocked], options.signal);
}

/** Takes entries out, whatever is on the disk. */
export async function removePaths(
  shadow: ShadowRepository,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (paths.length === 0) return;
  await shadow.git(["update-index", "--force-remove", "-z", "--stdin"], { input: toInput(paths), signal });
}

export async function listEntries(shadow: ShadowRepository, signal: AbortSignal): Promise<IndexEntry[]> {
  const rows = splitNul(await shadow.git(["ls-files", "-s", "-z"], { signal }));
  return rows.map((row) => {
    const tab = row.indexOf("\t");
    return { object: row.slice(0, tab).split(" ")[1] ?? "", path: row.slice(tab + 1) };
  });
}

/** Those whose bytes neither we nor the person's repository have. */
export async function findMissing(
  shadow: ShadowRepository,
  entries: readonly IndexEntry[],
  signal: AbortSignal,
): Promise<IndexEntry[]> {
  if (entries.length === 0) return [];
  const objects = [...new Set(entries.map((entry) => entry.object))];
  const args = ["cat-file", "--batch-check=%(objectname)", "--buffer"];
  const answer = await shadow.git(args, { input: `${objects.join("\n")}\n`, withUserObjects: true, signal });
  const missing = new Set(
    answer
      .toString("latin1")
      .split("\n")
      .flatMap((line) => (line.endsWith(" missing") ? [line.slice(0, -8)] : [])),
  );
  return entries.filter((entry) => missing.has(entry.object));
}

export function splitNul(output: Buffer): string[] {
  const text = output.toString("latin1");
  return text === "" ? [] : text.slice(0, -1).split("\0");
}

function toInput(paths: readonly string[]): string {
  return `${paths.join("\0")}\0`;
}

async function findUnreadable(root: string, paths: readonly string[]): Promise<string[]> {
  const base = Buffer.from(root, "utf8").toString("latin1");
  const denied = await Promise.all(
    paths.map((path) =>
      access(Buffer.from(`${base}/${path}`, "latin1"), constants.R_OK).then(
        () => false,
        (error: unknown) => ["EACCES", "EPERM", "EIO"].includes((error as NodeJS.ErrnoException).code ?? ""),
      ),
    ),
  );
  return paths.filter((_path, at) => denied[at] === true);
}

/** The path in git's last words, in which control characters are printed as `?`. */
function findNamed(paths: readonly string[], stderr: string): string[] {
  return paths.filter((path) =>
    stderr.endsWith(`nable to process path ${path.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "?")}\n`),
  );
}
