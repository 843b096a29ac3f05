import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { createInterface } from "node:readline";
import type { SearchHit, SearchQuery, TextSearch } from "../core/ports/textSearch";
import { toBaseEnvironment } from "./commandEnvironment";

const longestTextChars = 400;
const longestMessageChars = 2_000;
const largestFile = "50M";

type SearchResult = Awaited<ReturnType<TextSearch["search"]>>;

/**
 * Searches with ripgrep: hidden files too, never `.git`, not what ignore files leave out, not files above 50 MB, in the order
 * of their paths. `exclude` wins over `glob`, in any case of letters, and holds for a file that is named itself.
 */
export class RipgrepSearch implements TextSearch {
  /** `program` is the ripgrep to use instead of the packaged one. */
  constructor(private readonly program?: string) {}

  async search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
    if (signal.aborted) return { ok: false, message: "cancelled" };
    const program = this.program ?? (await findRipgrep());
    if (program === null)
      return { ok: false, message: "search is not available: ripgrep is not installed for this system" };
    const found = await stat(query.path).catch(() => null);
    if (found === null) return { ok: false, message: `there is no such folder or file: ${query.path}` };
    const isFolder = found.isDirectory();
    return runRipgrep(
      program,
      toArguments(query, isFolder),
      isFolder ? query.path : dirname(query.path),
      query.limit,
      signal,
    );
  }
}

/** The package throws on import where it has no binary for this system. */
async function findRipgrep(): Promise<string | null> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return null;
  }
}

function toArguments(query: SearchQuery, isFolder: boolean): string[] {
  const fixed = [
    "--json",
    "--no-config",
    "--hidden",
    "--no-require-git",
    "--sort",
    "path",
    "--max-filesize",
    largestFile,
  ];
  // A file named on the command line would escape every exclusion, so it is found as the only match of its folder.
  const include = isFolder ? query.glob : `/${escapeGlob(basename(query.path))}`;
  const depth = isFolder ? [] : ["--max-depth", "1"];
  const globs = include === undefined ? [] : ["--glob", include];
  const exclusions = [".git", ...query.exclude].flatMap((glob) => ["--iglob", `!${glob}`]);
  return [...fixed, ...depth, ...globs, ...exclusions, `--regexp=${query.query}`, "--", "."];
}

function escapeGlob(name: string): string {
  return name.replace(/[\\*?[\]{}!]/g, "\\$&");
}

async function runRipgrep(
  program: string,
  args: readonly string[],
  cwd: string,
  limit: number,
  signal: AbortSignal,
): Promise<SearchResult> {
  const child = spawn(program, args, {
    cwd,
    env: toBaseEnvironment(process.env),
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, longestMessageChars);
  });
  const closed = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      complaint = error.message;
    });
    child.once("close", () => resolve());
  });
  const stop = () => child.kill("SIGKILL");
  signal.addEventListener("abort", stop, { once: true });
  const read = await readHits(child.stdout, limit, stop);
  await closed;
  signal.removeEventListener("abort", stop);
  if (signal.aborted) return { ok: false, message: "cancelled" };
  // Exit code 2 also stands for one unreadable file among many: only a search that never got to its end has failed.
  if (!read.more && !read.complete) return { ok: false, message: toMessage(complaint) };
  return { ok: true, hits: read.hits, more: read.more };
}

function toMessage(complaint: string): string {
  return complaint.trim().replace(/^rg: /, "") || "the search ended before it was complete";
}

async function readHits(stdout: NodeJS.ReadableStream, limit: number, stop: () => void) {
  const hits: SearchHit[] = [];
  let complete = false;
  let more = false;
  for await (const line of createInterface({ input: stdout, crlfDelay: Infinity })) {
    const message = parseMessage(line);
    if (message?.type === "summary") complete = true;
    if (message?.type !== "match" || more) continue;
    if (hits.length < limit) {
      hits.push(toHit(message.data));
    } else {
      more = true;
      stop();
    }
  }
  return { hits, complete, more };
}

/** Text that is not UTF-8 comes as base64. */
type Bytes = { text: string } | { bytes: string };

interface MatchData {
  path: Bytes;
  lines: Bytes;
  line_number: number | null;
  submatches: { start: number }[];
}

type RipgrepMessage = { type: "match"; data: MatchData } | { type: "begin" | "end" | "context" | "summary" };

/** Null for the half line that is left when the search is stopped. */
function parseMessage(line: string): RipgrepMessage | null {
  try {
    return JSON.parse(line) as RipgrepMessage;
  } catch {
    return null;
  }
}

function toHit(match: MatchData): SearchHit {
  return {
    path: decode(match.path)
      .replace(/^\.[\\/]/, "")
      .replaceAll("\\", process.platform === "win32" ? "/" : "\\"),
    line: match.line_number ?? 0,
    text: cutAround(decode(match.lines).replace(/\r?\n$/, ""), match.submatches[0]?.start ?? 0),
  };
}

function decode(value: Bytes): string {
  return "text" in value ? value.text : Buffer.from(value.bytes, "base64").toString("utf8");
}

/** A line of megabytes (minified code) is cut to what surrounds the match at `byteOffset`. */
function cutAround(text: string, byteOffset: number): string {
  if (text.length <= longestTextChars) return text;
  const at = Buffer.from(text).subarray(0, byteOffset).toString("utf8").length;
  const start = Math.max(0, Math.min(at - longestTextChars / 4, text.length - longestTextChars));
  const end = start + longestTextChars;
  return `${start > 0 ? "..." : ""}${text.slice(start, end)}${end < text.length ? "..." : ""}`;
}
