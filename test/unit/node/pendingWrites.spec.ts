import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NodeWorkspaceFiles } from "../../../extension/node/nodeWorkspaceFiles";
import { clearPendingWrites, PendingWrites } from "../../../extension/node/pendingWrites";
import { readStartTime } from "../../../extension/node/processTable";
import type { KillingWrite } from "../../support/killingWriter";

let program = "";
let base = "";
let root = "";
let pending = "";

beforeAll(async () => {
  program = join(realpathSync(mkdtempSync(join(tmpdir(), "writer-"))), "writer.cjs");
  await build({
    entryPoints: [join(import.meta.dirname, "../../support/killingWriter.ts")],
    outfile: program,
    ...{ bundle: true, platform: "node", format: "cjs", target: "node20", logLevel: "warning" },
  });
});
afterAll(() => rmSync(join(program, ".."), { recursive: true, force: true }));

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "pending-")));
  root = join(base, "workspace");
  pending = join(base, "state", "writes");
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** `null` limit: none; else the largest file the process may write, in units of 1,024 bytes. */
function write(
  name: string,
  change: KillingWrite["change"],
  kill: KillingWrite["kill"],
  limit: number | null = null,
): Promise<{ signal: string | null; out: string }> {
  const request = JSON.stringify({ pending, path: join(root, name), change, kill } satisfies KillingWrite);
  const text = `${limit === null ? "" : `ulimit -f ${limit}; `}exec "$0" "$@"`;
  return new Promise((resolve) => {
    execFile("bash", ["-c", text, process.execPath, program, request], (error, out) =>
      resolve({ signal: error?.signal ?? null, out }),
    );
  });
}

const text = (name: string): string => readFileSync(join(root, name), "utf8");
const names = (): string[] => readdirSync(root).sort();

describe("a process that is killed inside a write", () => {
  const points: KillingWrite["kill"][] = [
    { at: "open", when: "before" },
    { at: "open", when: "after" },
    { at: "rename", when: "before" },
    { at: "rename", when: "after" },
  ];
  it.each(points)("leaves the old file or the new one, and nothing else once cleared: %j", async (kill) => {
    writeFileSync(join(root, "a.txt"), "old", { mode: 0o755 });
    expect((await write("a.txt", { write: "new" }, kill)).signal).toBe("SIGKILL");
    expect(text("a.txt")).toBe(kill?.at === "rename" && kill.when === "after" ? "new" : "old");
    await clearPendingWrites(pending);
    expect(names()).toEqual(["a.txt"]);
    expect(statSync(join(root, "a.txt"))).toMatchObject({ nlink: 1, mode: 0o100755 });
    expect(readdirSync(pending)).toEqual([]);
  });

  it.each([
    [{ at: "link", when: "before" }, []],
    [{ at: "link", when: "after" }, ["new.txt"]],
    [{ at: "unlink", when: "before" }, ["new.txt"]],
  ] as const)("leaves a new file whole or not there: %j", async (kill, left) => {
    expect((await write("new.txt", { write: "new" }, kill)).signal).toBe("SIGKILL");
    await clearPendingWrites(pending);
    expect(names()).toEqual(left);
    for (const name of left) {
      expect(text(name)).toBe("new");
      // A second name would make the file look linked, and no tool would write it again.
      expect(statSync(join(root, name)).nlink).toBe(1);
    }
  });

  it.each([
    [{ at: "link", when: "before" }, "from.txt"],
    [{ at: "link", when: "after" }, "to.txt"],
    [{ at: "unlink", when: "before" }, "to.txt"],
  ] as const)("leaves a moved file under one name: %j", async (kill, left) => {
    writeFileSync(join(root, "from.txt"), "moved");
    expect((await write("from.txt", { moveTo: join(root, "to.txt") }, kill)).signal).toBe("SIGKILL");
    await clearPendingWrites(pending);
    expect(names()).toEqual([left]);
    expect(text(left)).toBe("moved");
    expect(statSync(join(root, left)).nlink).toBe(1);
  });

  it("is not mistaken for one that still writes", async () => {
    const disk = new NodeWorkspaceFiles(new PendingWrites(pending));
    const temporary = join(root, ".donegate-0123456789abcdef.tmp");
    writeFileSync(temporary, "being written");
    await new PendingWrites(pending).around({ kind: "write", temporary }, async () => {
      await clearPendingWrites(pending);
      expect(existsSync(temporary)).toBe(true);
    });
    expect((await disk.write(join(root, "a.txt"), new TextEncoder().encode("x"), null)).ok).toBe(true);
    expect(readdirSync(pending)).toEqual([]);
  });
});

describe("notes about writes", () => {
  async function leaveNote(step: object, more: object = {}): Promise<void> {
    mkdirSync(pending, { recursive: true });
    const startedAt = (await readStartTime(process.pid)) ?? 0;
    const gone = { host: hostname(), pid: process.pid, startedAt: startedAt - 1_000_000 };
    writeFileSync(join(pending, "0.json"), JSON.stringify({ ...gone, ...more, step }));
  }

  it("never take away a file that is not the harness's own", async () => {
    writeFileSync(join(root, "a.txt"), "the person's");
    await leaveNote({ kind: "write", temporary: join(root, "a.txt") });
    await clearPendingWrites(pending);
    expect(text("a.txt")).toBe("the person's");
  });

  it("of another machine are left to it, and what cannot be read is thrown away", async () => {
    const temporary = join(root, ".donegate-0123456789abcdef.tmp");
    writeFileSync(temporary, "half");
    await leaveNote({ kind: "write", temporary }, { host: "another" });
    writeFileSync(join(pending, "torn.json"), '{"host":');
    await clearPendingWrites(pending);
    expect(names()).toHaveLength(1);
    expect(readdirSync(pending)).toEqual(["0.json"]);
    await leaveNote({ kind: "write", temporary });
    await clearPendingWrites(pending);
    expect([...names(), ...readdirSync(pending)]).toEqual([]);
  });

  it("are cleared where there are none", async () => {
    await clearPendingWrites(join(base, "nowhere"));
    expect(existsSync(join(base, "nowhere"))).toBe(false);
  });
});

describe("a disk that takes no more in the middle of a write", () => {
  it("loses nothing and leaves nothing", async () => {
    writeFileSync(join(root, "a.txt"), "old");
    const { signal, out } = await write("a.txt", { write: "0123456789abcdef", length: 100_000 }, null, 64);
    expect([signal, JSON.parse(out)]).toMatchObject([null, { ok: false }]);
    expect(text("a.txt")).toBe("old");
    expect(names()).toEqual(["a.txt"]);
  });
});
