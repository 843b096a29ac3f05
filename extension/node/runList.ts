// The runs of a workspace as the first and last lines of their journals tell them: cheap, whatever the journals weigh.
import { open, readdir, type FileHandle } from "node:fs/promises";
import { eventTypes, type JournaledEvent } from "../core/journal/event";
import { foldAll } from "../core/journal/fold";
import type { RunState } from "../core/journal/runState";
import { FileJournalStore } from "./fileJournalStore";
import { workspaceState } from "./statePaths";

export interface ListedRun {
  id: string;
  root: string;
  journal: string;
  /** ISO 8601. */
  startedAt: string;
  /** Folded from those two lines alone. */
  state: RunState;
  /** It has no last word: it runs, waits for a person, or was cut short. */
  isOpen: boolean;
  /** Who writes it now; asked for open runs only. */
  holder: { pid: number; since: string } | null;
}

const newestOnly = 200;

/** Newest first, at most 200. Journals that do not begin like a run are left out. */
export async function listRuns(root: string): Promise<readonly ListedRun[]> {
  const state = workspaceState(root);
  const runs: ListedRun[] = [];
  for (const id of await listRunIds(root)) {
    const run = await readEnds(state.journalOf(id));
    if (run !== null) runs.push({ id, root, journal: state.journalOf(id), ...run });
  }
  return runs;
}

/** Whether a run of this workspace has no last word. Reads the ends of journals and folds nothing. */
export async function hasOpenRun(root: string): Promise<boolean> {
  const state = workspaceState(root);
  for (const id of await listRunIds(root)) {
    const ends = await withFile(state.journalOf(id), readLastLine);
    if (ends !== null && isOpenAfter(ends.event)) return true;
  }
  return false;
}

/** Run ids sort by time. */
async function listRunIds(root: string): Promise<readonly string[]> {
  const entries = await readdir(workspaceState(root).runs, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return names.sort().reverse().slice(0, newestOnly);
}

type Ends = Pick<ListedRun, "startedAt" | "state" | "isOpen" | "holder">;

async function readEnds(path: string): Promise<Ends | null> {
  const lines = await withFile(path, async (file) => ({
    first: await readFirstLine(file),
    last: (await readLastLine(file)).event,
  }));
  const first = lines?.first ?? null;
  if (lines === null || first?.type !== "agent_start") return null;
  const { last } = lines;
  const isOpen = isOpenAfter(last);
  const state = foldAll(last?.type === "agent_end" ? [first, last] : [first]);
  return { startedAt: first.ts, state, isOpen, holder: isOpen ? await readHolder(path) : null };
}

export function readHolder(path: string): Promise<{ pid: number; since: string } | null> {
  return new FileJournalStore({ file: path }).holder();
}

/** A torn or unreadable end is no last word. */
function isOpenAfter(last: JournaledEvent | null): boolean {
  return last?.type !== "agent_end" || last.status === "pending";
}

async function withFile<T>(path: string, act: (file: FileHandle) => Promise<T>): Promise<T | null> {
  const file = await open(path, "r").catch(() => null);
  if (file === null) return null;
  try {
    return await act(file);
  } finally {
    await file.close();
  }
}

const pieceBytes = 64 * 1024;
const longestLine = 4 * 1024 * 1024;
const newline = 0x0a;

async function readFirstLine(file: FileHandle): Promise<JournaledEvent | null> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < longestLine; at += pieceBytes) {
    const piece = await readPiece(file, at, pieceBytes);
    const end = piece.indexOf(newline);
    pieces.push(end === -1 ? piece : piece.subarray(0, end));
    if (end !== -1) return toEvent(Buffer.concat(pieces));
    if (piece.length < pieceBytes) return null;
  }
  return null;
}

async function readLastLine(file: FileHandle): Promise<{ event: JournaledEvent | null }> {
  const { size } = await file.stat();
  let tail: Buffer = Buffer.alloc(0);
  for (let from = size; from > 0 && tail.length < longestLine;) {
    const length = Math.min(pieceBytes, from);
    from -= length;
    tail = Buffer.concat([await readPiece(file, from, length), tail]);
    // What follows the last newline is torn.
    const end = tail.lastIndexOf(newline);
    const start = end === -1 ? -1 : tail.lastIndexOf(newline, end - 1);
    if (end !== -1 && (start !== -1 || from === 0)) return { event: toEvent(tail.subarray(start + 1, end)) };
  }
  return { event: null };
}

async function readPiece(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}

function toEvent(bytes: Uint8Array): JournaledEvent | null {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as { type?: unknown } | null;
    return typeof value?.type === "string" && eventTypes.has(value.type) ? (value as JournaledEvent) : null;
  } catch (error: unknown) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
