// git: reads are allowed, the index may be filled, everything that changes history, the tree or another machine asks.
import type { Bench, Call, ProgramRule } from "../bench";
import { hasOption, optionValue, parseOptions, type Option, type ParsedOptions } from "../options";
import { isKnown, listedFrom, literal, unknownOutput, type Output, type Word } from "../word";
import { judgePush } from "./gitPush";

interface GitCall {
  name: string;
  args: readonly Word[];
  call: Call;
  bench: Bench;
}

type GitRule = (git: GitCall) => Output | null | void;

export const git: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, {
    short: "Cc",
    long: ["--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--exec-path", "--attr-source"],
    stops: true,
  });
  const aliases = new Map<string, string>();
  for (const option of parsed.options) judgeGlobal(option, aliases, bench);
  const [verb, ...args] = parsed.operands;
  if (verb === undefined) return null;
  const folder = optionValue(parsed, "-C");
  if (folder !== null && isKnown(folder) && folder.text !== ".") {
    bench.touch(folder, "list");
    return bench.runWords([literal("git"), verb, ...args], { folder });
  }
  const alias = aliases.get(verb.text);
  if (alias !== undefined) return runAlias(alias, args, bench);
  if (verb.open || !isKnown(verb)) {
    bench.ask("unknown-name", "the git command is only known at run time");
    return null;
  }
  return judgeVerb({ name: verb.text, args, call, bench });
};

/** Settings that only change how git looks. */
const harmlessSettings =
  /^(?:user\.(?:name|email)|color\.|advice\.|core\.(?:quotepath|abbrev)|log\.|diff\.(?:context|algorithm|renames)|init\.defaultbranch|i18n\.|column\.|status\.)/i;

function judgeGlobal({ name, value }: Option, aliases: Map<string, string>, bench: Bench): void {
  const text = value?.text ?? "";
  if (name === "-c") {
    const [key = "", setting = ""] = [text.split("=")[0], text.slice(text.indexOf("=") + 1)];
    const alias = /^alias\.(.+)$/i.exec(key)?.[1];
    if (alias !== undefined) aliases.set(alias, setting);
    if (alias !== undefined || !(harmlessSettings.test(key) || (/pager$/i.test(key) && /^(?:cat|)$/.test(setting)))) {
      bench.ask("git-setting", `the setting ${key} can run a program`);
      if (setting.startsWith("!")) bench.runScript(setting.slice(1));
    }
  }
  if (/^--(?:git-dir|work-tree|exec-path|config-env|namespace|attr-source)$/.test(name)) {
    bench.ask("git-setting", `${name} points git at another place`);
    if (value !== null) bench.touch(value, "list");
  }
}

function runAlias(alias: string, args: readonly Word[], bench: Bench): Output {
  const rest = args.map((word) => word.raw).join(" ");
  return bench.runScript(alias.startsWith("!") ? `${alias.slice(1)} ${rest}` : `git ${alias} ${rest}`);
}

const reads = new Set(
  `status log diff show blame annotate rev-parse describe shortlog ls-files ls-tree cat-file for-each-ref show-ref rev-list
  merge-base name-rev grep diff-tree diff-index diff-files whatchanged count-objects check-ignore check-attr check-ref-format var
  version help reflog cherry range-diff fsck merge-tree show-branch verify-pack get-tar-commit-id stripspace hash-object`.split(
    /\s+/,
  ),
);

const readOptions = {
  short: "nLSGUCO",
  long: [
    "--format",
    "--pretty",
    "--since",
    "--until",
    "--after",
    "--before",
    "--author",
    "--grep",
    "--max-count",
    "--diff-filter",
    "--output",
    "-L",
    "--skip",
    "--sort",
    "--contains",
  ],
};

function judgeRead({ name, args, call, bench }: GitCall): Output {
  const parsed = parseOptions(args, readOptions);
  if (
    hasOption(parsed, "--ext-diff", "--textconv", "--show-signature", "--open-files-in-pager", "--filters") ||
    (name === "grep" && hasOption(parsed, "-O"))
  ) {
    bench.ask("option", "this option runs a program");
  }
  if (/%G/.test(args.map((word) => word.text).join(" "))) bench.ask("option", "checking signatures runs a program");
  const output = optionValue(parsed, "--output");
  if (output !== null) {
    bench.touch(output, "write");
    bench.ask("option", "writes its output to a file");
  }
  if (name === "hash-object" && hasOption(parsed, "-w")) bench.ask("git-changes", "writes an object");
  if (name === "reflog" && parsed.operands[0] !== undefined && /^(?:expire|delete)$/.test(parsed.operands[0].text))
    bench.ask("git-history", "removes the last way back");
  if (name === "rev-parse" && hasOption(parsed, "--show-toplevel") && args.length === 1) {
    const inRoot =
      call.scope.cwds?.every((cwd) => !cwd.startsWith("/") && !cwd.startsWith("..")) === true && !call.scope.remote;
    return { ...unknownOutput, text: inRoot ? `${bench.root}\n` : null };
  }
  judgeOperands(name, parsed, bench);
  return { ...unknownOutput, places: name === "ls-files" || name === "diff" ? placesOf(parsed.operands) : [] };
}

function placesOf(operands: readonly Word[]): readonly Word[] {
  if (operands.length === 0) return [{ ...literal("./**/*"), glob: true }];
  return operands.every((word) => isKnown(word) || word.glob) ? operands.flatMap(listedFrom) : [];
}

const showsContent = new Set([
  "show",
  "diff",
  "log",
  "blame",
  "grep",
  "cat-file",
  "whatchanged",
  "diff-tree",
  "diff-index",
  "diff-files",
]);

function judgeOperands(name: string, { operands, options, unclear }: ParsedOptions, bench: Bench): void {
  if (unclear && operands.some((word) => word.open))
    bench.ask("unknown-target", "an argument is only known at run time");
  const files = name === "grep" ? operands.slice(1) : operands;
  for (const word of files) {
    const use = showsContent.has(name) ? "read" : "list";
    // A revision names nothing on the disk.
    if (!/^(?:HEAD|@)(?:[~^@]|$)|^[0-9a-f]{7,40}$|\.\./.test(word.text) || word.text.startsWith(".."))
      bench.touch(word, use);
    const colon = word.text.indexOf(":");
    if (colon > 0) bench.touch({ ...word, text: word.text.slice(colon + 1) }, use);
  }
  const isPlainLog =
    name === "log" && !options.some((option) => /^(?:-p|-u|-U|-S|-G|-L|--patch|-c)$/.test(option.name));
  const printsAll = showsContent.has(name) && !isPlainLog && name !== "blame";
  if (
    printsAll &&
    !options.some((option) =>
      /^--(?:stat|shortstat|numstat|name-only|name-status|no-patch|check)$|^-s$/.test(option.name),
    )
  ) {
    bench.mayShowRepository();
  }
}

function asks(rule: string, reason: string): GitRule {
  return ({ bench, args }) => {
    bench.ask(rule, reason);
    for (const word of parseOptions(args).operands) bench.mentionRead(word);
  };
}

/** Paths of a command that changes files: what follows `--`, or every operand that names something here. */
function pathsOf(args: readonly Word[], bench: Bench, all: boolean): readonly Word[] {
  const at = args.findIndex((word) => word.text === "--");
  if (at !== -1) return args.slice(at + 1);
  const { operands } = parseOptions(args, { short: "bBsm", long: ["--source", "--message", "--orphan"] });
  return operands.filter((word) => all || word.glob || bench.exists(word.text) || /[./]/.test(word.text));
}

function changesTree(all: boolean, reason: string): GitRule {
  return ({ bench, args, name }) => {
    bench.ask("git-changes", reason);
    const parsed = parseOptions(args, { short: "s", long: ["--source"] });
    const older =
      hasOption(parsed, "-s", "--source") ||
      (name === "checkout" && args.some((word) => word.text === "--") && parsed.operands.length > 1);
    for (const word of pathsOf(args, bench, all)) {
      if (/^(?::\/|\.|\*|:)$/.test(word.text) && !older) continue;
      bench.touch(
        word,
        name === "mv" || name === "rm" || name === "checkout" || name === "restore" ? "delete" : "write",
        { tree: true },
      );
    }
  };
}

const branch: GitRule = ({ args, bench }) => {
  const parsed = parseOptions(args, {
    short: "u",
    long: ["--format", "--sort", "--contains", "--merged", "--no-merged", "--points-at"],
  });
  const lists = hasOption(
    parsed,
    "--list",
    "-l",
    "--show-current",
    "--contains",
    "--merged",
    "--no-merged",
    "--points-at",
  );
  const changes = hasOption(
    parsed,
    "-d",
    "-D",
    "-m",
    "-M",
    "-c",
    "-C",
    "-f",
    "-u",
    "--delete",
    "--move",
    "--copy",
    "--force",
    "--set-upstream-to",
    "--unset-upstream",
    "--edit-description",
  );
  if (changes || (parsed.operands.length > 0 && !lists)) bench.ask("git-changes", "changes branches");
};

const tag: GitRule = ({ args, bench }) => {
  const parsed = parseOptions(args, { short: "nmFu", long: ["--sort", "--format", "--contains", "--points-at"] });
  const lists = args.length === 0 || hasOption(parsed, "-l", "--list", "-n", "--contains", "--points-at", "--merged");
  if (!lists || hasOption(parsed, "-d", "--delete", "-v", "--verify")) bench.ask("git-changes", "changes tags");
};

const remote: GitRule = ({ args, bench }) => {
  const [verb] = parseOptions(args).operands;
  if (verb !== undefined && verb.text !== "get-url") bench.ask("git-changes", "changes or asks a remote");
};

const stash: GitRule = ({ args, bench }) => {
  const [verb] = parseOptions(args).operands;
  if (verb === undefined || !/^(?:list|show)$/.test(verb.text)) bench.ask("git-changes", "moves changes away or back");
};

const config: GitRule = ({ args, bench }) => {
  const parsed = parseOptions(args, { short: "f", long: ["--file", "--blob", "--type", "--default"] });
  const file = optionValue(parsed, "-f", "--file");
  if (file !== null) bench.touch(file, "write");
  const verbs = parsed.operands.map((word) => word.text);
  const key = verbs.find((text) => text.includes(".")) ?? "";
  if (/token|password|secret|extraheader|credential/i.test(key) && verbs.length < 2)
    bench.deny("prints-credential", "prints a credential");
  const gets =
    hasOption(parsed, "--get", "--get-all", "--get-regexp") || verbs[0] === "get" || (verbs.length === 1 && key !== "");
  if (gets && !hasOption(parsed, "--unset", "--unset-all", "-e", "--edit") && verbs[0] !== "set") return;
  if (hasOption(parsed, "-l", "--list") || verbs[0] === "list")
    bench.ask("environment", "settings may hold credentials");
  else bench.ask("git-setting", "a setting can make later git calls run programs");
  const value = verbs.at(-1) ?? "";
  if (value.startsWith("!")) bench.runScript(value.slice(1));
};

const add: GitRule = ({ args, bench }) => {
  const parsed = parseOptions(args, { long: ["--chmod", "--pathspec-from-file"] });
  if (hasOption(parsed, "-f", "--force", "-p", "--patch", "-i", "--interactive", "-e", "--edit", "--chmod"))
    bench.ask("git-changes", "stages what is usually left out, or asks for input");
  for (const word of parsed.operands) bench.touch(word, "list");
};

const updateIndex: GitRule = ({ args, bench }) => {
  bench.ask("git-changes", "changes how git sees a file");
  for (const word of parseOptions(args, { long: ["--cacheinfo", "--chmod"] }).operands) bench.touch(word, "write");
};

const credential: GitRule = ({ args, bench }) => {
  if (args[0] === undefined || /^(?:fill|get)$/.test(args[0].text))
    bench.deny("prints-credential", "prints a live credential");
  else bench.deny("prints-credential", "changes stored credentials");
};

/** `git bisect run CMD`, `git submodule foreach TEXT`, `git rebase -x TEXT`. */
const runsInner: GitRule = ({ name, args, bench }) => {
  if (/^(?:submodule status|submodule summary|bisect log|bisect view)$/.test(`${name} ${args[0]?.text ?? ""}`)) return;
  bench.ask(name === "submodule" ? "network" : "git-history", `git ${name} changes the tree or runs commands`);
  const at = args.findIndex((word) => /^(?:run|foreach|-x|--exec|-c)$/.test(word.text));
  if (at === -1) return;
  const inner = args.slice(at + 1).filter((word) => word.text !== "--recursive");
  if (name === "bisect") bench.runWords(inner);
  else bench.runScript(name === "submodule" ? inner.map((word) => word.text).join(" ") : (inner[0]?.text ?? ""));
};

const clean: GitRule = ({ args, bench }) => {
  const parsed = parseOptions(args, { short: "e", long: ["--exclude"] });
  if (hasOption(parsed, "-n", "--dry-run")) return;
  bench.ask("git-changes", "deletes untracked files");
  for (const word of parsed.operands) bench.touch(word, "delete", { tree: true });
};

const worktree: GitRule = ({ args, bench }) => {
  if (args[0]?.text !== "list") asks("git-changes", "changes work trees")({ name: "worktree", args, bench } as GitCall);
};

const network = asks("network", "reaches another machine");
const history = asks("git-history", "changes history or moves the baseline");

const verbs: Readonly<Record<string, GitRule>> = {
  ...Object.fromEntries([...reads].map((name) => [name, judgeRead])),
  branch,
  tag,
  remote,
  stash,
  config,
  add,
  stage: add,
  "update-index": updateIndex,
  credential,
  "credential-store": credential,
  "credential-cache": credential,
  "credential-osxkeychain": credential,
  "credential-manager": credential,
  bisect: runsInner,
  submodule: runsInner,
  rebase: runsInner,
  "filter-branch": runsInner,
  clean,
  worktree,
  rm: changesTree(true, "deletes files"),
  mv: changesTree(true, "moves files"),
  checkout: changesTree(false, "replaces files of the tree"),
  restore: changesTree(true, "replaces files of the tree"),
  switch: history,
  push: ({ args, bench }) => judgePush(args, bench),
  ...Object.fromEntries(
    [
      "fetch",
      "pull",
      "clone",
      "ls-remote",
      "send-email",
      "request-pull",
      "svn",
      "p4",
      "lfs",
      "archive",
      "bundle",
      "daemon",
      "instaweb",
      "http-backend",
      "upload-pack",
    ].map((name) => [name, network]),
  ),
  ...Object.fromEntries(
    [
      "commit",
      "merge",
      "reset",
      "revert",
      "cherry-pick",
      "am",
      "gc",
      "prune",
      "repack",
      "replace",
      "update-ref",
      "symbolic-ref",
      "notes",
      "init",
      "maintenance",
      "sparse-checkout",
      "pack-refs",
      "fast-import",
      "filter-repo",
    ].map((name) => [name, history]),
  ),
};

function judgeVerb(git: GitCall): Output | null {
  const rule = Object.hasOwn(verbs, git.name) ? verbs[git.name] : undefined;
  if (rule === undefined) {
    // An alias of the repository, or a program called git-NAME.
    git.bench.ask("unknown", `git ${git.name} is not known`);
    for (const word of git.args) git.bench.touchUnknown(word);
    return null;
  }
  if (git.args.length === 1 && git.args[0]?.text === "--help") return null;
  return rule(git) ?? null;
}
