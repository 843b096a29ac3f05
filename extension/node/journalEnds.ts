// The first and the last line of a run's journal, and what they tell at the start of the editor. It lies in the bundle that
// is loaded at activation, so it takes nothing of the engine but names.
import { open, readdir, type FileHandle } from "node:fs/promises";
import { eventTypes, type JournaledEvent } from "../core/journal/event";
import { workspaceState } from "./statePaths";

const newestOnly = 200;

/** Whether a run of this workspace has no last word. Reads the ends of journals and folds nothing. */
export async function hasOpenRun(root: string): Promise<boolean> {
  const state = workspaceState(root);
  for (const id of await listRunIds(root)) {
    const ends = await withFile(state.journalOf(id), readLastLine);
    if (ends !== null && isOpenAfter(ends.event)) return true;
  }
  return false;
}

/** Newest first, at most 200: run ids sort by time. */
export async function listRunIds(root: string): Promise<readonly string[]> {
  const entries = await readdir(workspaceState(root).runs, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return names.sort().reverse().slice(0, newestOnly);
}

/** Null: there is no such file. A line that is torn, or no event we know, is null. */
export function readJournalEnds(
  path: string,
): Promise<{ first: JournaledEvent | null; last: JournaledEvent | null } | null> {
  return withFile(path, async (file) => ({
    first: await readFirstLine(file),
    last: (await readLastLine(file)).event,
  }));
}

/** A torn or unreadable end is no last word. */
export function isOpenAfter(last: JournaledEvent | null): boolean {
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
