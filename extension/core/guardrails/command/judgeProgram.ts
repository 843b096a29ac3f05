// One simple command: its variables, its name, and the rule for the program.
import type { Bench, Call, ProgramRule } from "./bench";
import { judgeAssignment } from "./codeVariables";
import type { SimpleCommand } from "./evaluate";
import { treeDanger } from "./hostPaths";
import { builders } from "./programs/builders";
import { builtins } from "./programs/builtins";
import { containers, kubectlPayload } from "./programs/containers";
import { files } from "./programs/files";
import { git } from "./programs/git";
import { interpreters } from "./programs/interpreters";
import { network } from "./programs/network";
import { outwardPrograms } from "./programs/outward";
import { packageManagers } from "./programs/packageManagers";
import { readers } from "./programs/readers";
import { system } from "./programs/system";
import { windowsPrograms } from "./programs/windows";
import { wrappers } from "./programs/wrappers";
import { isKnown, unknownOutput, type Output, type Word } from "./word";

const tables: readonly Readonly<Record<string, ProgramRule>>[] = [
  { git, ...builtins },
  readers,
  files,
  wrappers,
  interpreters,
  builders,
  packageManagers,
  containers,
  network,
  system,
  windowsPrograms,
  outwardPrograms,
];

export function isKnownProgram(name: string): boolean {
  return rulesFor(name).length > 0;
}

/** A program may stand in two tables: as a builder and as a publisher. The first one judges, the later ones only add. */
function rulesFor(name: string): readonly ProgramRule[] {
  return tables.flatMap((table) => (Object.hasOwn(table, name) ? [table[name] as ProgramRule] : []));
}

/** Null: what it writes is not known. */
export function judgeProgram(command: SimpleCommand, bench: Bench): Output | null {
  for (const assignment of command.env) {
    const verdict = judgeAssignment(assignment);
    if (verdict !== null) bench.add(verdict);
  }
  const [first, ...args] = command.words;
  if (first === undefined) return null;
  if (!isKnown({ ...first, glob: first.glob && first.text !== "[" && first.text !== "[[" }))
    return judgeUnknownName(first, args, bench);
  if (first.text === "") return null;
  const { name, isTrusted } = nameOf(first.text);
  const call: Call = {
    program: name,
    args,
    env: command.env,
    stdin: command.stdin,
    scope: command.scope,
    source: command.source,
  };
  if (!isTrusted) judgeStranger(first, call, bench);
  if (command.scope.functions.has(first.text) && !isKnownProgram(first.text)) return unknownOutput;
  if (/^(?:--version|--help|-V)$/.test(args[0]?.text ?? "") && args.length === 1 && isTrusted && isKnownProgram(name))
    return null;
  return runRules(name, call, bench);
}

function runRules(name: string, call: Call, bench: Bench): Output | null {
  const rules = rulesFor(name);
  const family = name.startsWith("mkfs") ? rulesFor("mkfs") : rules;
  if (family.length === 0) return judgeUnknown(call, bench);
  const [main, ...more] = family as readonly [ProgramRule, ...ProgramRule[]];
  const output = main(call, bench);
  // Only what is worse than the first judgement counts: a builder that is also a publisher.
  for (const rule of more) bench.addWorse(() => void rule(call, bench));
  if (name === "kubectl" || name === "oc") kubectlPayload(call, bench);
  return output;
}

const trustedFolders = /^(?:\/usr\/local|\/usr|\/opt\/homebrew)?\/s?bin$/;
const localBinaries = /^(?:\.\/)?(?:[\w./-]+\/)?node_modules\/\.bin$/;
const versioned = /^(python|pip|node|ruby|perl|php|lua|sqlite|pypy)[\d.]+$/;

function nameOf(text: string): { name: string; isTrusted: boolean } {
  const path = text.replaceAll("\\", "/");
  const at = path.lastIndexOf("/");
  const base = path
    .slice(at + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat)$/, "");
  const name = canonical(versioned.exec(base)?.[1] ?? base);
  const folder = path.slice(0, Math.max(at, 0));
  return { name, isTrusted: at === -1 || trustedFolders.test(folder) || localBinaries.test(folder) };
}

const otherNames: Readonly<Record<string, string>> = {
  flyctl: "fly",
  mvnw: "mvn",
  gradlew: "gradle",
  pip3: "pip",
  sqlite3: "sqlite",
  gmake: "make",
};

function canonical(name: string): string {
  return Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name;
}

/** A program of this name from another place is not the program that the rules speak of. */
function judgeStranger(word: Word, call: Call, bench: Bench): void {
  if (call.scope.downloads.has(word.text.replace(/^\.\//, ""))) {
    bench.deny("remote-code", `${word.raw} was downloaded by this command`);
    return;
  }
  bench.ask("unregistered-program", `${word.raw} is not a program of this machine's usual folders`);
  bench.touch(word, "list");
  if (!isKnownProgram(call.program)) for (const each of call.args) bench.touchUnknown(each);
}

/** Compilers and tools whose version may be asked for; what else they do is not known here. */
const tools = new Set(
  "gcc g++ cc clang clang++ cmake ninja meson bazel java javac kotlin kotlinc scalac sbt ghc stack cabal zig nim ocaml erl iex lua r swiftc vite webpack esbuild rollup parcel turbo nx ng next nuxt astro pre-commit husky protoc buf sqlc hugo".split(
    " ",
  ),
);

function judgeUnknown(call: Call, bench: Bench): null {
  if (tools.has(call.program) && call.args.length === 1 && /^--?(?:version|help)$|^-V$/.test(call.args[0]?.text ?? ""))
    return null;
  bench.ask("unknown", `${call.program} is not known`);
  for (const word of call.args) {
    bench.touchUnknown(word);
    if (word.carried.network && /^-c$|eval/.test(call.args[0]?.text ?? ""))
      bench.deny("remote-code", "remote text goes into an interpreter");
  }
  return null;
}

function judgeUnknownName(first: Word, args: readonly Word[], bench: Bench): null {
  if (first.carried.network || first.carried.decoded) {
    bench.deny("remote-code", "text from elsewhere is run as a command");
    return null;
  }
  bench.ask("unknown-name", `which program ${first.raw} is, is only known at run time`);
  const isRecursive = args.some((word) => /^-[a-zA-Z]*[rR]/.test(word.text));
  for (const word of args) {
    const danger =
      isRecursive && word.text.startsWith("/") ? treeDanger(word.text, { home: bench.home, root: bench.root }) : null;
    if (danger !== null) bench.deny("host", danger);
    bench.touchUnknown(word);
  }
  return null;
}
