import { execFile, type ChildProcess } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const quietMs = 20;
const longestDrainMs = 300;

/** Carries what a command prints, both streams, to one reader. */
export interface OutputChannel {
  /** For `spawn`: where standard output and standard error go. */
  readonly targets: readonly [number | "pipe", number | "pipe"];
  /** Lets go of our copies of the writing ends; call right after `spawn`, whether it worked or not. */
  closeTargets(): void;
  /** Starts reading. Text is decoded across reads. */
  read(child: ChildProcess, onText: (text: string) => void): void;
  /** Once the command has exited: resolves when all that is in the pipe has been read, even if somebody keeps it open. */
  drain(): Promise<void>;
  /** From now on text is thrown away: whoever keeps the pipe can go on printing. Keeps this process alive no longer. */
  discard(): void;
  /** True when nobody holds a writing end any more. */
  hasEnded(): boolean;
  close(): void;
}

/**
 * A named pipe where there is one, for it keeps the order of the two streams, and a child can open `/dev/stderr`, which it
 * cannot with the sockets that Node makes. Elsewhere those. Never rejects.
 */
export async function openOutputChannel(): Promise<OutputChannel> {
  const fifo = process.platform === "win32" ? null : await openFifo();
  if (fifo === null) return createChannel(["pipe", "pipe"], null);
  return createChannel(fifo.writers, new Socket({ fd: fifo.reader, readable: true, writable: false }));
}

interface Fifo {
  reader: number;
  /** Two, because a program that makes one of its streams non-blocking does it to all that share the opening. */
  writers: readonly [number, number];
}

async function openFifo(): Promise<Fifo | null> {
  let folder: string | null = null;
  const opened: number[] = [];
  try {
    folder = await mkdtemp(join(tmpdir(), "donegate-output-"));
    const path = join(folder, "pipe");
    await promisify(execFile)("mkfifo", ["-m", "600", path]);
    const open = (flags: number) => {
      const descriptor = openSync(path, flags);
      opened.push(descriptor);
      return descriptor;
    };
    const reader = open(constants.O_RDONLY | constants.O_NONBLOCK);
    return { reader, writers: [open(constants.O_WRONLY), open(constants.O_WRONLY)] };
  } catch {
    // No mkfifo, no temporary folder or no pipes in it: the plain pipes do, with less exact an order.
    opened.forEach((descriptor) => closeSync(descriptor));
    return null;
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Reads `own`, or the child's streams where we have none. */
function createChannel(targets: OutputChannel["targets"], own: Readable | null): OutputChannel {
  let streams: Readable[] = own === null ? [] : [own];
  let receive: ((text: string) => void) | null = null;
  let open = 0;
  let reads = 0;
  let onAllEnded = () => {};
  const allEnded = new Promise<void>((resolve) => (onAllEnded = resolve));

  function follow(stream: Readable): void {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const pass = (text: string) => {
      if (text !== "") receive?.(text);
    };
    stream.on("data", (bytes: Uint8Array) => {
      reads += 1;
      if (receive !== null) pass(decoder.decode(bytes, { stream: true }));
    });
    // A read that fails ends the output just as its end does; the exit code does not come from here.
    stream.on("error", () => stream.destroy());
    stream.once("close", () => {
      pass(decoder.decode());
      open -= 1;
      if (open === 0) onAllEnded();
    });
  }

  async function untilQuiet(): Promise<void> {
    const deadline = performance.now() + longestDrainMs;
    let before;
    do {
      before = reads;
      await delay(quietMs, undefined, { ref: true });
      // A late timer must not pass for silence: the pipe is polled between here and there.
      await nextTurn();
      await nextTurn();
    } while (reads !== before && performance.now() < deadline);
  }

  return {
    targets,
    closeTargets: () => targets.forEach((target) => typeof target === "number" && closeSync(target)),
    read(child, onText) {
      receive = onText;
      if (own === null) streams = [child.stdout, child.stderr].flatMap((stream) => stream ?? []);
      open = streams.length;
      streams.forEach(follow);
      if (open === 0) onAllEnded();
    },
    drain: () => Promise.race([allEnded, untilQuiet()]),
    discard() {
      receive = null;
      streams.forEach((stream) => stream instanceof Socket && stream.unref());
    },
    hasEnded: () => open === 0,
    close: () => streams.forEach((stream) => stream.destroy()),
  };
}
