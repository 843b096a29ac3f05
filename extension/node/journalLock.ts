// One process writes a journal. The lock names it by pid and start time, so that a process that has ended, or another
// one that got its pid, does not hold it; a heartbeat tells where neither can be asked.
import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { isRunning, isSameStart, readStartTime } from "./processTable";

export type LockResult = { ok: true } | { ok: false; pid: number; since: string };

interface Holder {
  pid: number;
  /** Milliseconds since 1970, null where the system would not say. */
  startedAt: number | null;
  host: string;
  /** ISO 8601. */
  since: string;
  /** Two stores in one process are two holders. */
  token: string;
}

const heartbeatMs = 10_000;
/** Only where the holder's pid means nothing here: another machine, or a lock that cannot be read. */
const silenceMs = 6 * heartbeatMs;

export class JournalLock {
  private readonly token = randomUUID();
  private timer: NodeJS.Timeout | null = null;

  /** `onLost` is called once when somebody else has taken the lock over. */
  constructor(
    private readonly path: string,
    private readonly onLost: () => void,
    private readonly beatMs: number = heartbeatMs,
  ) {}

  async take(): Promise<LockResult> {
    if (this.timer !== null) return { ok: true };
    // A second round when a dead holder's lock was cleared away; more would only mean that others are quicker.
    for (let round = 0; round < 3; round++) {
      if (await this.create()) {
        this.timer = setInterval(() => void this.beat(), this.beatMs);
        this.timer.unref();
        return { ok: true };
      }
      const text = await readText(this.path);
      if (text === null) continue;
      const holder = parseHolder(text);
      if (!(await this.hasEnded(holder)))
        return { ok: false, pid: holder?.pid ?? 0, since: holder?.since ?? "unknown" };
      await this.clear(text);
    }
    const holder = parseHolder((await readText(this.path)) ?? "");
    return { ok: false, pid: holder?.pid ?? 0, since: holder?.since ?? "unknown" };
  }

  /** Who holds it, this process included; null when nobody does or the holder has ended. Changes nothing. */
  async holder(): Promise<{ pid: number; since: string } | null> {
    const text = await readText(this.path);
    if (text === null) return null;
    const holder = parseHolder(text);
    if (await this.hasEnded(holder)) return null;
    return { pid: holder?.pid ?? 0, since: holder?.since ?? "unknown" };
  }

  /** Idempotent. Never removes another holder's lock. */
  async release(): Promise<void> {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    if (await this.isOurs()) await rm(this.path, { force: true });
  }

  /** Written aside and linked into place: whoever sees the lock sees all of it. */
  private async create(): Promise<boolean> {
    const holder: Holder = {
      pid: process.pid,
      startedAt: await readStartTime(process.pid),
      host: hostname(),
      since: new Date().toISOString(),
      token: this.token,
    };
    const draft = `${this.path}.${this.token}`;
    await writeFile(draft, JSON.stringify(holder), { mode: 0o600 });
    try {
      await link(draft, this.path);
      return true;
    } catch (error: unknown) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return false;
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
      // A file system without hard links.
      return await createExclusively(this.path, JSON.stringify(holder));
    } finally {
      await rm(draft, { force: true });
    }
  }

  private async hasEnded(holder: Holder | null): Promise<boolean> {
    if (holder === null || holder.host !== hostname()) return this.isSilent();
    if (!(await isRunning(holder.pid))) return true;
    const startedAt = await readStartTime(holder.pid);
    return startedAt !== null && holder.startedAt !== null && !isSameStart(startedAt, holder.startedAt);
  }

  private async isSilent(): Promise<boolean> {
    const found = await stat(this.path).catch(() => null);
    return found !== null && Date.now() - found.mtimeMs > silenceMs;
  }

  /** Moves the dead holder's lock away, and puts it back when a quicker process has replaced it meanwhile. */
  private async clear(text: string): Promise<void> {
    const aside = `${this.path}.ended-${this.token}`;
    if (
      !(await rename(this.path, aside).then(
        () => true,
        () => false,
      ))
    )
      return;
    if ((await readText(aside)) !== text) await link(aside, this.path).catch(() => undefined);
    await rm(aside, { force: true });
  }

  private async beat(): Promise<void> {
    const now = new Date();
    if (await this.isOurs()) return void (await utimes(this.path, now, now).catch(() => undefined));
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.onLost();
  }

  private async isOurs(): Promise<boolean> {
    return parseHolder((await readText(this.path)) ?? "")?.token === this.token;
  }
}

async function createExclusively(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error: unknown) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const value = JSON.parse(text) as Partial<Holder> | null;
    if (typeof value?.pid !== "number" || typeof value.since !== "string" || typeof value.host !== "string")
      return null;
    const startedAt = typeof value.startedAt === "number" ? value.startedAt : null;
    return { pid: value.pid, startedAt, host: value.host, since: value.since, token: String(value.token) };
  } catch (error: unknown) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function readText(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}
