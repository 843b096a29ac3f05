// Reads a journal back and says how far it can be believed. It never throws on what a file holds: a torn end, a gap,
// a foreign line and a newer version are all answers.
import type { Hasher } from "../ports/hasher";
import { firstPrev, splitSeal, type SealOf } from "./codec";
import { sealedTypes } from "./envelope";
import { decodeHead } from "./journalHead";
import { upcastLine, versions, type Versions } from "./upcast";

/** A line as read: the envelope's keys have been checked, the event's own keys have not. */
export interface JournalLine {
  readonly v: number;
  readonly seq: number;
  readonly ts: string;
  readonly run: string;
  readonly prev: string;
  readonly type: string;
  readonly seal?: string;
  readonly [key: string]: unknown;
}

export interface JournalProblem {
  code: "torn" | "chain" | "version" | "type" | "unsealed" | "head";
  /** The line it concerns, null for what is about the journal's end. */
  seq: number | null;
  message: string;
}

export interface DecodedJournal {
  /** Every readable line in order, those after a break included. */
  lines: readonly JournalLine[];
  problems: readonly JournalProblem[];
  /** How many bytes at the end are no whole line and have to be set aside before the next append. */
  tornBytes: number;
  /** From `brokenAt` on nothing can be verified. */
  chain: "intact" | { brokenAt: number; why: string };
  /** Lines of sealed types that do not count: no valid seal, or after a break. */
  unsealed: readonly number[];
  /** False when lines are missing from the end, or nothing tells which line was the last one. */
  endIsVouched: boolean;
  /** False when a line is of a newer version or an unknown type. */
  resumable: boolean;
  /** Hash of the last readable line, null when there is none. */
  lastHash: string | null;
  nextSeq: number;
}

export interface DecodeOptions {
  hasher: Hasher;
  sealOf: SealOf;
  knownTypes: ReadonlySet<string>;
  /** What lay beside the journal before its bytes were read: empty before the first line, null when it is gone. Absent: not asked for. */
  head?: string | null;
  versions?: Versions;
}

export async function decodeJournal(bytes: Uint8Array, options: DecodeOptions): Promise<DecodedJournal> {
  const { rows, tornBytes } = splitRows(bytes);
  const followed = followChain(rows, options.hasher);
  const { lines, texts, lastHash } = followed;
  const { chain, missing } = await findEnd(followed, options);
  const unsealed = await findUnsealed(lines, texts, chain, options.sealOf);
  const raised = lines.map((line) => raise(line, options));
  const foreign = raised.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  return {
    lines: raised.map(({ line }) => line),
    problems: [
      ...(chain === "intact" ? [] : [{ code: "chain" as const, seq: chain.brokenAt, message: chain.why }]),
      ...foreign,
      ...(missing === null ? [] : [{ code: "head" as const, seq: null, message: missing }]),
      ...unsealed.map((seq) => ({ code: "unsealed" as const, seq, message: `line ${seq} has no valid seal` })),
      ...(tornBytes === 0
        ? []
        : [{ code: "torn" as const, seq: null, message: `${tornBytes} bytes at the end are no whole line` }]),
    ],
    tornBytes,
    chain,
    unsealed,
    endIsVouched: missing === null,
    resumable: foreign.length === 0,
    lastHash,
    nextSeq: (lines.at(-1)?.seq ?? 0) + 1,
  };
}

interface Row {
  bytes: Uint8Array;
  /** Null when the bytes are no UTF-8. */
  text: string | null;
  /** Undefined when the text is no JSON. */
  value: unknown;
}

/**
 * The end is torn from the last newline on, and so are whole rows at the end that are no JSON (a block of NUL after
 * a power cut). A last line that only lacks its newline is set aside as well: its append never came back, so nothing
 * has acted on it. No part of a JSON object is JSON, so a whole foreign record is never taken for a torn one.
 */
function splitRows(bytes: Uint8Array): { rows: Row[]; tornBytes: number } {
  const rows: Row[] = [];
  let start = 0;
  let wholeEnd = 0;
  let wholeRows = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    const row = toRow(bytes.subarray(start, end));
    rows.push(row);
    start = end + 1;
    if (row.value === undefined) continue;
    wholeEnd = start;
    wholeRows = rows.length;
  }
  return { rows: rows.slice(0, wholeRows), tornBytes: bytes.length - wholeEnd };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function toRow(bytes: Uint8Array): Row {
  try {
    const text = decoder.decode(bytes);
    return { bytes, text, value: JSON.parse(text) as unknown };
  } catch {
    // Neither UTF-8 nor JSON is a fault here: the caller decides whether it is a torn end or a broken chain.
    return { bytes, text: null, value: undefined };
  }
}

interface Followed {
  lines: JournalLine[];
  texts: string[];
  hashes: string[];
  chain: DecodedJournal["chain"];
  lastHash: string | null;
}

/** Only the first break is told: after it every line would be one. */
function followChain(rows: readonly Row[], hasher: Hasher): Followed {
  const followed: Followed = { lines: [], texts: [], hashes: [], chain: "intact", lastHash: null };
  for (const row of rows) {
    const line = toLine(row.value);
    const before = followed.lines.at(-1);
    const expected = (before?.seq ?? 0) + 1;
    const why = line === null ? "is no journal line" : faultOf(line, before, followed.lastHash);
    if (why !== null && followed.chain === "intact")
      followed.chain = { brokenAt: expected, why: `line ${expected} ${why}` };
    if (line === null || row.text === null) continue;
    followed.lines.push(line);
    followed.texts.push(row.text);
    followed.lastHash = hasher.sha256(row.bytes);
    followed.hashes.push(followed.lastHash);
  }
  return followed;
}

function faultOf(line: JournalLine, before: JournalLine | undefined, lastHash: string | null): string | null {
  if (line.seq !== (before?.seq ?? 0) + 1) return `is missing: number ${line.seq} stands in its place`;
  if (before !== undefined && line.run !== before.run) return "belongs to another run";
  if (line.prev !== (lastHash ?? firstPrev)) return "does not follow the line before it";
  return null;
}

/** Lines without `ts` or `prev` are shown, but no chain goes through them. */
function toLine(value: unknown): JournalLine | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { v, seq, ts, run, prev, type, seal, ...own } = value as Record<string, unknown>;
  if (!isCount(v) || !isCount(seq) || typeof run !== "string" || typeof type !== "string") return null;
  const envelope = { v, seq, ts: typeof ts === "string" ? ts : "", run, prev: typeof prev === "string" ? prev : "" };
  return { ...own, ...envelope, type, ...(typeof seal === "string" ? { seal } : {}) };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

type End = Pick<DecodedJournal, "chain"> & { missing: string | null };

/**
 * Whether the journal ends where it ended when its newest line was flushed; lines after that one came later. A cut end is
 * no break: what is left can be believed, but not that it is all. An end that was written anew is one.
 */
async function findEnd(followed: Followed, { head: text, sealOf }: DecodeOptions): Promise<End> {
  const { lines, texts, hashes, chain } = followed;
  const last = lines.at(-1)?.seq ?? 0;
  // The first line is on the disk a moment before its note is.
  if (text === undefined || last === 0 || (text === "" && last === 1)) return { chain, missing: null };
  const head = text === null ? null : await decodeHead(text, sealOf);
  if (head === null) return { chain, missing: "the note of its last line is gone or not ours: lines may be missing" };
  if (last < head.seq) return { chain, missing: `${spell(last + 1, head.seq)} missing from its end` };
  const at = lines.findIndex((line) => line.seq === head.seq);
  if (chain !== "intact" || hashes[at] === head.hash) return { chain, missing: null };
  // A line that has to be sealed and is not does not count: the run can go on without it.
  const isLost = sealedTypes.has(lines[at]?.type ?? "") && !(await isSealed(texts[at] ?? "", sealOf));
  if (isLost && last === head.seq) return { chain, missing: null };
  return { chain: { brokenAt: head.seq, why: `line ${head.seq} is not the one that was written` }, missing: null };
}

const spell = (from: number, to: number): string => (from === to ? `line ${to} is` : `lines ${from} to ${to} are`);

function raise(
  line: JournalLine,
  { knownTypes, versions: known = versions }: DecodeOptions,
): { line: JournalLine; problem: JournalProblem | null } {
  const raised = upcastLine(line, known);
  if (raised === null) {
    const age = line.v > known.newest ? "newer than this program" : "which this program cannot read any more";
    return {
      line,
      problem: { code: "version", seq: line.seq, message: `line ${line.seq} is of version ${line.v}, ${age}` },
    };
  }
  if (knownTypes.has(raised.type)) return { line: raised, problem: null };
  const message = `line ${line.seq} is of the unknown type ${JSON.stringify(line.type)}`;
  return { line: raised, problem: { code: "type", seq: line.seq, message } };
}

/** A seal vouches for a line and all before it, so after a break none counts. */
async function findUnsealed(
  lines: readonly JournalLine[],
  texts: readonly string[],
  chain: DecodedJournal["chain"],
  sealOf: SealOf,
): Promise<number[]> {
  const unsealed: number[] = [];
  let intact = true;
  for (const [at, line] of lines.entries()) {
    if (chain !== "intact" && line.seq >= chain.brokenAt) intact = false;
    if (!sealedTypes.has(line.type)) continue;
    if (!intact || !(await isSealed(texts[at] ?? "", sealOf))) unsealed.push(line.seq);
  }
  return unsealed;
}

async function isSealed(text: string, sealOf: SealOf): Promise<boolean> {
  const parts = splitSeal(text);
  return parts !== null && (await sealOf(parts.unsealed)) === parts.seal;
}
