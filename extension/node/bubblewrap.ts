// A private view of the workspace: an overlay in a mount namespace of its own, then bubblewrap. docs/decisions/0012.
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { spawn } from "node:child_process";
import type { CommandView, Isolation, IsolationLevel } from "../core/ports/isolation";
import type { Program } from "./commandProcess";
import { findProgram } from "./programLookup";

/** A program that runs in a view once it is started. */
export interface ViewedProgram {
  program: Program;
  /** After the end: whether the program inside was started at all. A view that cannot be made ends like a red check. */
  wasStarted(): Promise<boolean>;
  /** After the end. */
  dispose(): Promise<void>;
}

export interface BubblewrapOptions {
  /** Where `PATH` and `HOME` of the commands come from, `process.env` by default. */
  environment?: NodeJS.ProcessEnv;
}

type Found = { ok: true; unshare: string; shell: string; bwrap: string } | { ok: false; why: string };

/**
 * Nothing of a name is ever part of the text: all values are arguments. The overlays come first, since bubblewrap cannot
 * mount them; what they lie over is bound aside before, so that they are never stacked on each other. What has to be
 * absent is deleted where nothing but the overlay can be written, as a folder on the way may be a link to anywhere.
 */
const enterView = `
set -e
base=$1 root=$2 home=$3 writes=$4 bwrap=$5
shift 5
stage=$base/stage
exec 3>"$base/status"
mount -t tmpfs tmpfs "$stage"
cd "$stage"
mkdir root rootUp rootWork home homeUp homeWork
mount --rbind "$root" root
if [ -n "$home" ]; then
  mount --rbind "$home" home
  mount -t overlay overlay -o "lowerdir=$stage/home,upperdir=$stage/homeUp,workdir=$stage/homeWork,userxattr" "$home"
fi
if [ "$writes" = kept ]; then
  mount --rbind root "$root"
else
  mount -t overlay overlay -o "lowerdir=$stage/root,upperdir=$stage/rootUp,workdir=$stage/rootWork,userxattr" "$root"
  if [ -s "$base/absent" ]; then
    "$bwrap" --ro-bind / / --dev /dev --bind "$root" "$root" -- xargs -0 rm -rf -- <"$base/absent" 3>&-
  fi
fi
exec "$bwrap" "$@"
`;

export class Bubblewrap implements Isolation {
  private readonly environment: NodeJS.ProcessEnv;
  private found: Promise<Found> | null = null;
  private probed: Promise<{ level: IsolationLevel; why: string | null }> | null = null;

  constructor(options: BubblewrapOptions = {}) {
    this.environment = options.environment ?? process.env;
  }

  probe(): Promise<{ level: IsolationLevel; why: string | null }> {
    this.probed ??= this.tryOut().then(
      (why) => (why === null ? { level: "view" as const, why } : { level: "detect" as const, why }),
      (error: unknown) => ({ level: "detect", why: `a private view could not be tried: ${toMessage(error)}` }),
    );
    return this.probed;
  }

  /** `cwd`: absolute, inside the view. Rejects when the view's folders cannot be made, or a program for it is missing. */
  async wrap(program: Program, cwd: string, view: CommandView): Promise<ViewedProgram> {
    const tools = await this.findTools();
    if (!tools.ok) throw new Error(tools.why);
    refuseHarm(view);
    const base = await mkdtemp(join(await realpath(tmpdir()), "donegate-view-"));
    const status = join(base, "status");
    await mkdir(join(base, "stage"));
    for (const name of ["status", "empty"]) await writeFile(join(base, name), "");
    await writeFile(join(base, "absent"), view.absent.map((path) => `${path}\0`).join(""));
    const home = await this.homeBeside(view.root);
    const settings = [base, view.root, home ?? "", view.writes, tools.bwrap];
    const inner = [...(await this.toArguments(view, { home, cwd, base })), "--", program.file, ...program.args];
    return {
      program: { file: tools.unshare, args: ["-Urm", tools.shell, "-c", enterView, "sh", ...settings, ...inner] },
      wasStarted: async () => (await readFile(status, "utf8")).includes('"exit-code"'),
      dispose: () => rm(base, { recursive: true, force: true }),
    };
  }

  private async toArguments(
    view: CommandView,
    { home, cwd, base }: { home: string | null; cwd: string; base: string },
  ): Promise<string[]> {
    const temporary = await realpath(tmpdir());
    const ids = ["--unshare-user", "--uid", String(process.getuid?.() ?? 0), "--gid", String(process.getgid?.() ?? 0)];
    const args = [...ids, "--json-status-fd", "3", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
    for (const folder of new Set(["/tmp", temporary])) args.push("--tmpfs", folder);
    for (const folder of await this.programFolders(temporary)) args.push("--ro-bind", folder, folder);
    if (home !== null) args.push("--bind", home, home);
    args.push("--bind", view.root, view.root);
    for (const path of view.readOnly) args.push("--ro-bind-try", path, path);
    for (const path of view.empty) args.push(...(await toEmpty(path, join(base, "empty"))));
    if (view.out !== null) args.push("--bind", view.out, view.out);
    // A background command of the agent may outlive its shell; what a check leaves behind may not.
    if (view.writes === "dropped") args.push("--unshare-pid");
    return [...args, "--unshare-ipc", "--die-with-parent", "--new-session", "--chdir", cwd];
  }

  /** The temporary folder is fresh inside, so programs that lie in the real one are shown again. */
  private async programFolders(temporary: string): Promise<readonly string[]> {
    const folders = new Set<string>();
    for (const entry of (this.environment["PATH"] ?? "").split(delimiter)) {
      const real = await realpath(entry).catch(() => null);
      if (real === null || ![temporary, "/tmp"].some((folder) => isBelow(real, folder))) continue;
      // Programs load what lies beside their folder.
      folders.add(/^\.?(bin|sbin)$/.test(basename(real)) ? dirname(real) : real);
    }
    return [...folders].filter((folder) => folder !== "/" && folder !== temporary && folder !== "/tmp");
  }

  /** Null where the home cannot be laid over: there is none, or it holds everything, or lies in the workspace. */
  private async homeBeside(root: string): Promise<string | null> {
    const home = await realpath(this.environment["HOME"] ?? homedir()).catch(() => null);
    return home === null || home === "/" || home === root || isBelow(home, root) ? null : home;
  }

  private async findTools(): Promise<Found> {
    this.found ??= this.lookUpTools();
    return this.found;
  }

  private async lookUpTools(): Promise<Found> {
    if (process.platform !== "linux") return { ok: false, why: "a private view needs Linux" };
    const paths: string[] = [];
    for (const name of ["unshare", "sh", "bwrap"]) {
      const path = await findProgram(name, "/", { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" });
      if (path === null)
        return { ok: false, why: `a private view needs ${name === "bwrap" ? "bubblewrap (bwrap)" : name}` };
      paths.push(path);
    }
    const [unshare = "", shell = "", bwrap = ""] = paths;
    return { ok: true, unshare, shell, bwrap };
  }

  /** Does what a check does and looks at what came of it. Null: all as it should be, else what was not. */
  private async tryOut(): Promise<string | null> {
    const tools = await this.findTools();
    if (!tools.ok) return tools.why;
    const base = await mkdtemp(join(await realpath(tmpdir()), "donegate-probe-"));
    try {
      const root = join(base, "root");
      const out = join(base, "out");
      await mkdir(join(root, "hidden"), { recursive: true });
      await mkdir(out);
      for (const name of ["kept", "absent", "hidden/text"]) await writeFile(join(root, name), "before");
      const view: CommandView = {
        root,
        out,
        writes: "dropped",
        readOnly: [],
        absent: [join(root, "absent")],
        empty: [join(root, "hidden")],
      };
      const file = tools.shell;
      const script = `test ! -e absent && test ! -e hidden/text && echo after > kept && echo yes > "$1"`;
      const viewed = await this.wrap({ file, args: ["-c", script, "sh", join(out, "answer")] }, root, view);
      try {
        const output = await runToEnd(viewed.program, root);
        const answer = await readFile(join(out, "answer"), "utf8").catch(() => "");
        const kept = await readFile(join(root, "kept"), "utf8");
        if (answer === "yes\n" && kept === "before" && (await viewed.wasStarted())) return null;
        return `this machine does not allow a private view${output === "" ? "" : `: ${output}`}`;
      } finally {
        await viewed.dispose();
      }
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  }
}

/** What is made absent is deleted in the overlay: there has to be one, and the path has to lie in it. */
function refuseHarm({ root, writes, absent }: CommandView): void {
  const harmful = absent.find(
    (path) => writes !== "dropped" || path === root || !isBelow(path, root) || path.includes("/../"),
  );
  if (harmful !== undefined) throw new Error(`${harmful} cannot be made absent`);
}

const probeTimeoutMs = 10_000;

/** What it wrote, cut to a line or two. */
function runToEnd({ file, args }: Program, cwd: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: probeTimeoutMs,
      killSignal: "SIGKILL",
    });
    let text = "";
    child.stderr.setEncoding("utf8").on("data", (part: string) => (text = (text + part).slice(0, 300)));
    child.once("error", (error) => resolve(error.message));
    child.once("close", () => resolve(text.trim()));
  });
}

/** A device in a file's place could not be opened, which programs take for something else than an empty file. */
async function toEmpty(path: string, emptyFile: string): Promise<string[]> {
  const found = await stat(path).catch(() => null);
  if (found === null) return [];
  return found.isDirectory() ? ["--tmpfs", path] : ["--ro-bind", emptyFile, path];
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
