import type {
  DirectoryEntry,
  FileBytes,
  FileErrorCode,
  FileResult,
  WorkspaceFiles,
} from "../../extension/core/ports/workspaceFiles";
import { NodeHasher } from "../../extension/node/nodeHasher";

interface StoredFile {
  kind: "file";
  bytes: Uint8Array;
  mode: number;
  links: number;
}

type Node = StoredFile | { kind: "directory" | "link" | "other" };

/** A disk in memory for absolute paths with `/`; passes the same contract suite as the real one. Links lead nowhere. */
export class MemoryFiles implements WorkspaceFiles {
  private readonly nodes = new Map<string, Node>([["/", { kind: "directory" }]]);
  private readonly hasher = new NodeHasher();

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, content] of Object.entries(files)) this.put(path, content);
  }

  /** Puts a file there as somebody outside would, whatever was there before. */
  put(path: string, content: string | Uint8Array, mode = 0o644): void {
    this.makeParents(path);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
    this.nodes.set(path, { kind: "file", bytes, mode, links: 1 });
  }

  putDirectory(path: string): void {
    this.makeParents(`${path}/x`);
  }

  putLink(path: string): void {
    this.makeParents(path);
    this.nodes.set(path, { kind: "link" });
  }

  /** A second name for a file. */
  putHardLink(existing: string, path: string): void {
    const node = this.nodes.get(existing);
    if (node?.kind !== "file") throw new Error(`no file to link to: ${existing}`);
    this.makeParents(path);
    node.links += 1;
    this.nodes.set(path, node);
  }

  remove(path: string): void {
    this.nodes.delete(path);
  }

  /** A file's text, null when it is not there. */
  text(path: string): string | null {
    const node = this.nodes.get(path);
    return node?.kind === "file" ? new TextDecoder().decode(node.bytes) : null;
  }

  /** All files, sorted. */
  paths(): string[] {
    return [...this.nodes]
      .filter(([, node]) => node.kind === "file")
      .map(([path]) => path)
      .sort();
  }

  async read(path: string, limitBytes = Infinity): Promise<FileResult<FileBytes>> {
    const node = this.nodes.get(path);
    if (node === undefined || node.kind === "link") return failed("not-found", path);
    if (node.kind === "directory") return failed("is-directory", path);
    if (node.kind !== "file") return failed("not-a-file", path);
    if (node.bytes.length > limitBytes) return failed("too-large", path);
    const { bytes, mode, links } = node;
    return { ok: true, value: { bytes: bytes.slice(), digest: this.hasher.sha256(bytes), mode, links } };
  }

  async scan(path: string, take: (piece: Uint8Array) => void, signal: AbortSignal) {
    const whole = await this.read(path);
    if (!whole.ok) return whole;
    if (signal.aborted) return failed("failed", path);
    const { bytes, digest } = whole.value;
    for (let at = 0; at < bytes.length; at += 3) take(bytes.subarray(at, at + 3));
    return { ok: true as const, value: { digest, size: bytes.length } };
  }

  async write(path: string, bytes: Uint8Array, expected: string | null): Promise<FileResult<{ digest: string }>> {
    const node = this.nodes.get(path);
    const refusal = this.refuseWrite(path, node, expected);
    if (refusal) return refusal;
    this.makeParents(path);
    const mode = node?.kind === "file" ? node.mode : 0o644;
    this.nodes.set(path, { kind: "file", bytes: bytes.slice(), mode, links: 1 });
    return { ok: true, value: { digest: this.hasher.sha256(bytes) } };
  }

  async delete(path: string, expected: string): Promise<FileResult<null>> {
    const refusal = this.refuseOther(path, expected);
    if (refusal) return refusal;
    this.nodes.delete(path);
    return { ok: true, value: null };
  }

  async move(from: string, to: string, expected: string): Promise<FileResult<null>> {
    const refusal = this.refuseOther(from, expected);
    if (refusal) return refusal;
    const node = this.nodes.get(from);
    if (this.nodes.has(to)) return failed("exists", to);
    if (node === undefined || this.hasFileAbove(to)) return failed("failed", to);
    this.makeParents(to);
    this.nodes.set(to, node);
    this.nodes.delete(from);
    return { ok: true, value: null };
  }

  async list(path: string, options: Parameters<WorkspaceFiles["list"]>[1]) {
    const root = this.nodes.get(path);
    if (root === undefined) return failed("not-found", path);
    if (root.kind !== "directory") return failed("failed", path);
    const prefix = path === "/" ? "/" : `${path}/`;
    const below = [...this.nodes.keys()].filter((other) => other.startsWith(prefix) && other !== path);
    const shown = below
      .map((other) => other.slice(prefix.length))
      .filter((relative) => relative.split("/").length <= options.depth && !isSkipped(relative, options.skip))
      .sort(depthFirst);
    const entries = shown.slice(0, options.limit).map((relative) => this.toEntry(relative, prefix + relative));
    return { ok: true as const, value: { entries, more: shown.length > options.limit } };
  }

  private toEntry(path: string, absolute: string): DirectoryEntry {
    const node = this.nodes.get(absolute);
    return { path, kind: node?.kind ?? "other", size: node?.kind === "file" ? node.bytes.length : 0 };
  }

  private refuseWrite(path: string, node: Node | undefined, expected: string | null) {
    if (node === undefined) {
      if (this.hasFileAbove(path)) return failed("failed", path);
      return expected === null ? null : failed("changed", path);
    }
    const kind = refuseKind(path, node);
    if (kind) return kind;
    if (expected === null) return failed("exists", path);
    if (node.kind !== "file" || node.links > 1) return failed("linked", path);
    if ((node.mode & 0o222) === 0) return failed("read-only", path);
    return this.hasher.sha256(node.bytes) === expected ? null : failed("changed", path);
  }

  private refuseOther(path: string, expected: string) {
    const node = this.nodes.get(path);
    if (node === undefined) return failed("not-found", path);
    const kind = refuseKind(path, node);
    if (kind || node.kind !== "file") return kind;
    return this.hasher.sha256(node.bytes) === expected ? null : failed("changed", path);
  }

  private hasFileAbove(path: string): boolean {
    return parentsOf(path).some((parent) => this.nodes.get(parent)?.kind === "file");
  }

  private makeParents(path: string): void {
    for (const parent of parentsOf(path)) {
      if (!this.nodes.has(parent)) this.nodes.set(parent, { kind: "directory" });
    }
  }
}

function refuseKind(path: string, node: Node) {
  if (node.kind === "link") return failed("linked", path);
  if (node.kind === "directory") return failed("is-directory", path);
  return node.kind === "other" ? failed("not-a-file", path) : null;
}

function parentsOf(path: string): string[] {
  const segments = path.split("/").slice(1, -1);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join("/")}`);
}

function isSkipped(relative: string, skip: (path: string) => boolean): boolean {
  const segments = relative.split("/");
  return segments.some((_, index) => skip(segments.slice(0, index + 1).join("/")));
}

/** Segment by segment, so that a folder is followed by what is in it. */
function depthFirst(one: string, other: string): number {
  const [left, right] = [one.replaceAll("/", "\0"), other.replaceAll("/", "\0")];
  return left < right ? -1 : left > right ? 1 : 0;
}

function failed(code: FileErrorCode, path: string): { ok: false; code: FileErrorCode; message: string } {
  return { ok: false, code, message: `${path}: ${code}` };
}
