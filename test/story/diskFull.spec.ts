// The disk fills up under a run of the real command line: it stops and says so, what is journaled is whole, and once there
// is space it goes on as if nothing had happened.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, useCli } from "../support/cliRunner";
import { FakeModelServer } from "../support/fakeModelServer";
import type { ModelScript, ScriptedRequest } from "../support/modelScript";
import { temporaryWorkspace } from "../support/temporaryWorkspace";

const cli = useCli();

interface SmallDisk {
  /** What runs the command line so that the folder of its journal takes this much and no more. */
  through: (folder: string, kept: string) => string[];
  told: string;
}

const limited: SmallDisk = {
  // Both 512 and 1024 bytes a block are in use; the journal outgrows either.
  through: () => ["sh", "-c", 'ulimit -f 48; exec "$@"', "sh"],
  told: "ulimit -f",
};

/** A file system of its own; it goes with the process, so what is on it is kept elsewhere. */
const mounted: SmallDisk = {
  through: (folder, kept) => [
    ...["unshare", "-rm", "sh", "-c"],
    'mount -t tmpfs -o size=64k tmpfs "$0" || exit 99; kept=$1; shift; "$@"; code=$?; cp -a "$0/." "$kept"; exit $code',
    ...[folder, kept],
  ],
  told: "the disk is full",
};

const mayMount = spawnSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]).status === 0;
const disks: [string, SmallDisk][] = [
  ["a limit of the system for files", limited],
  ...(mayMount ? [["a small file system", mounted] satisfies [string, SmallDisk]] : []),
];

const turns = 24;

/** Says much, so that the journal grows fast, and writes one file a turn. */
const script: ModelScript = ({ messages }: ScriptedRequest) => {
  const turn = messages.filter((message) => message["role"] === "assistant").length;
  if (turn === turns) return { kind: "reply", text: "done" };
  const write = { name: "write_file", args: { path: `f${turn}.txt`, content: `${turn}\n` } };
  return { kind: "reply", text: `${turn} `.repeat(1_500), calls: [write] };
};

describe("a journal that meets the end of the disk", () => {
  it.each(disks)("(%s) stops the run, is whole, and goes on with space", { timeout: 60_000 }, async (_name, disk) => {
    const root = await temporaryWorkspace({ "donegate.yaml": "verify: off\n" });
    const server = await FakeModelServer.start(script);
    onTestFinished(() => server.close());
    const folder = join(dirname(root), "journals");
    const kept = join(dirname(root), "kept");
    for (const made of [folder, kept]) mkdirSync(made);
    const journal = join(folder, "journal.jsonl");
    const words = ["run", "--workspace", root, "--journal", journal, "--base-url", server.baseUrl, "--model", "m"];
    const stopped = await cli.start([...words, "--trust-config", "--json", "write files"], {
      through: disk.through(folder, kept),
    }).ended;
    cpSync(kept, folder, { recursive: true });

    expect(stopped.code, stopped.err).toBe(1);
    expect(outcomeOf(stopped)).toMatchObject({ status: "error", limit: null });
    expect(outcomeOf(stopped).stoppedBy).toContain(disk.told);
    expect(readFileSync(journal, "utf8").endsWith("}\n")).toBe(true);
    expect(await cli(["journal", "verify", journal])).toMatchObject({ code: 0 });

    const resumed = await cli(["resume", "--journal", journal, "--json"]);
    expect(outcomeOf(resumed)).toMatchObject({ status: "done", turns: turns + 1, sealed: true });
    expect(resumed.err).not.toContain("torn");
    for (let turn = 0; turn < turns; turn += 1) {
      expect(readFileSync(join(root, `f${turn}.txt`), "utf8")).toBe(`${turn}\n`);
    }
  });
});
