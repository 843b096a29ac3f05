// Shells and other languages: text for a shell is judged, everything else asks.
import type { Bench, Call, ProgramRule } from "../bench";
import { judgeCode } from "../judgeCode";
import { hasOption, optionValue, parseOptions, type OptionSpec } from "../options";
import { literal, unknownPiece, type Output, type Word } from "../word";

/** What reaches an interpreter from outside this text. */
function denyForeign(from: { network: boolean; decoded: boolean } | null, bench: Bench): boolean {
  if (from === null || (!from.network && !from.decoded)) return false;
  bench.deny(
    "remote-code",
    from.network ? "remote text goes straight into an interpreter" : "decoded text goes straight into an interpreter",
  );
  return true;
}

/** A file that is run: what it holds is not read here. */
export function runsFile(file: Word, call: Call, bench: Bench): void {
  if (denyForeign(file.carried, bench)) return;
  if (call.scope.downloads.has(file.text.replace(/^\.\//, ""))) {
    bench.deny("remote-code", `${file.raw} was downloaded by this command`);
    return;
  }
  bench.ask("runs-file", `what ${file.raw} holds is run without being read here`);
  bench.touch(file, "read");
}

const shellWithValue = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);

const shell: ProgramRule = (call, bench) => {
  let isText = false;
  let readsStdin = false;
  let isDry = false;
  let at = 0;
  for (; at < call.args.length; at++) {
    const { text } = call.args[at] as Word;
    if (text === "--" || text === "-") {
      at++;
      break;
    }
    if (!/^[-+]/.test(text)) break;
    if (text === "--rcfile" || text === "--init-file") bench.ask("runs-file", "a start-up file is run");
    if (/^-[a-zA-Z]*c/.test(text) && !text.startsWith("--")) isText = true;
    if (/^-[a-zA-Z]*n/.test(text)) isDry = true;
    if (/^-[a-zA-Z]*s/.test(text)) readsStdin = true;
    if (/^-[a-zA-Z]*[il]|^--(?:login|interactive)$/.test(text))
      bench.ask("start-up-files", "start-up files of the shell are run");
    if (shellWithValue.has(text) || /^[-+][a-zA-Z]*[oO]$/.test(text)) at++;
  }
  const [first] = call.args.slice(at);
  if (isDry && first !== undefined && !isText) {
    bench.touch(first, "read");
    return null;
  }
  if (isText) return runText(first, bench);
  if (!readsStdin && first !== undefined && !/^\/dev\/(?:stdin|fd\/0)$/.test(first.text)) {
    runsFile(first, call, bench);
    return null;
  }
  return runStdin(call, bench);
};

function runText(word: Word | undefined, bench: Bench): Output | null {
  if (word === undefined) return null;
  if (denyForeign(word.carried, bench)) return null;
  return bench.runScript(word.text);
}

function runStdin(call: Call, bench: Bench): Output | null {
  if (denyForeign(call.stdin, bench)) return null;
  const text = call.stdin?.text ?? null;
  if (text !== null) return bench.runScript(text, { stdin: null });
  bench.ask("data-becomes-command", call.stdin === null ? "an interactive shell" : "data becomes commands");
  return null;
}

interface Language extends OptionSpec {
  /** Options whose value is code. */
  code: readonly string[];
  /** Options that only check or show something. */
  safe?: readonly string[];
  /** Options that load other code first. */
  loads?: readonly string[];
}

function language(spec: Language, first?: ProgramRule): ProgramRule {
  return (call, bench) => {
    const special = first?.(call, bench);
    if (special !== undefined && special !== null) return special;
    const parsed = parseOptions(call.args, { ...spec, stops: true });
    if (hasOption(parsed, ...(spec.loads ?? []))) bench.ask("option", `${call.program} loads other code first`);
    const given = parsed.options.filter(({ name }) => spec.code.includes(name));
    if (given.length > 0) {
      for (const { value } of given) runCode(value, bench);
      if (call.program === "perl" || call.program === "ruby") changesInPlace(call, parsed.operands, bench);
      return null;
    }
    if (hasOption(parsed, ...(spec.safe ?? []))) {
      for (const word of parsed.operands) bench.touch(word, "read");
      return null;
    }
    const [script] = parsed.operands;
    if (script !== undefined && script.text !== "-" && !/^\/dev\/(?:stdin|fd\/0)$/.test(script.text))
      runsFile(script, call, bench);
    else if (!denyForeign(call.stdin, bench)) judgeCode(call.stdin?.text ?? unknownPiece, bench);
    return null;
  };
}

function runCode(value: Word | null, bench: Bench): void {
  if (value === null) return;
  if (!denyForeign(value.carried, bench)) judgeCode(value.text, bench);
}

/** `perl -pi -e … FILE` writes its files. */
function changesInPlace(call: Call, operands: readonly Word[], bench: Bench): void {
  const inPlace = call.args.some((word) => /^-[a-zA-Z]*i/.test(word.text));
  for (const word of operands) bench.touch(word, inPlace ? "write" : "read");
}

const done: Output = { network: false, decoded: false, secret: false, text: null };

/** Modules that are programs of their own, judged as those. */
const pythonModules = new Set(
  `pytest unittest mypy ruff black flake8 pylint isort coverage twine pip build tox nox alembic pyright pyflakes pycodestyle bandit
  pre_commit poetry uv flit hatch awscli ansible nose2 pydocstyle vulture radon pipx httpie`.split(/\s+/),
);

const pythonModule: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, { short: "cmWX", stops: true });
  const name = optionValue(parsed, "-m");
  if (name === null) return null;
  const at = call.args.findIndex(
    (word) => word === name || (word.text.startsWith("-") && word.text.endsWith(name.text)),
  );
  const rest = call.args.slice(at + 1);
  const module = name.text.split(".")[0] ?? "";
  if (pythonModules.has(name.text)) return bench.runWords([{ ...name }, ...rest]);
  if (module === "json" || name.text === "tokenize" || name.text === "py_compile" || name.text === "compileall") {
    const operands = parseOptions(rest, { short: "" }).operands;
    operands.forEach((word, index) => bench.touch(word, name.text === "json.tool" && index === 1 ? "write" : "read"));
    return done;
  }
  bench.ask("runs-module", `the module ${name.text} is run without being read here`);
  return done;
};

const nodeSpecial: ProgramRule = (call, bench) => {
  const at = call.args.findIndex((word) => !word.text.startsWith("-"));
  const options = at === -1 ? call.args : call.args.slice(0, at);
  if (options.some((word) => word.text === "--test"))
    return bench.runWords([literal("node-test"), ...call.args.filter((word) => word.text !== "--test")]);
  const run = call.args.findIndex((word) => word.text === "--run");
  if (run !== -1) return bench.runWords([literal("npm"), literal("run"), ...call.args.slice(run + 1)]);
  return null;
};

const python = language({ short: "cmWX", code: ["-c"] }, pythonModule);
const node = language(
  {
    short: "eprC",
    long: [
      "--eval",
      "--print",
      "--require",
      "--import",
      "--loader",
      "--experimental-loader",
      "--env-file",
      "--conditions",
    ],
    code: ["-e", "-p", "--eval", "--print"],
    loads: [
      "-r",
      "--require",
      "--import",
      "--loader",
      "--experimental-loader",
      "--env-file",
      "--inspect",
      "--inspect-brk",
    ],
    safe: ["-c", "--check"],
  },
  nodeSpecial,
);
const perl = language({ short: "eEIMm", code: ["-e", "-E"] });
const ruby = language({ short: "erIC", code: ["-e"], loads: ["-r", "-I", "-C"] });

const sqlShell: ProgramRule = (call, bench) => {
  const { operands } = parseOptions(call.args, { singleDash: true, long: ["-cmd", "-init", "-separator"] });
  for (const word of operands.slice(0, 1)) bench.touch(word, "write");
  bench.ask("database", "changes or reads a database");
  for (const word of operands.slice(1))
    for (const [, text = ""] of word.text.matchAll(/^\s*\.(?:shell|system)\s+(.*)$/gm)) bench.runScript(text);
  return null;
};

export const interpreters: Readonly<Record<string, ProgramRule>> = {
  ...Object.fromEntries(
    ["bash", "sh", "zsh", "dash", "ksh", "ash", "mksh", "rbash", "fish", "csh", "tcsh", "posh", "yash"].map((name) => [
      name,
      shell,
    ]),
  ),
  python,
  pypy: python,
  ipython: python,
  node,
  nodejs: node,
  "ts-node": node,
  tsx: node,
  perl,
  ruby,
  php: language({ short: "rdfBREF", code: ["-r", "-B", "-R", "-E"], safe: ["-l"], loads: ["-d"] }),
  lua: language({ short: "el", code: ["-e"], loads: ["-l"] }),
  luajit: language({ short: "el", code: ["-e"], loads: ["-l"] }),
  rscript: language({ short: "e", code: ["-e"] }),
  julia: language({ short: "eE", code: ["-e", "-E"] }),
  osascript: language({ short: "el", code: ["-e"] }),
  tclsh: language({ code: [] }),
  expect: language({ short: "c", code: ["-c"] }),
  groovy: language({ short: "e", code: ["-e"] }),
  scala: language({ short: "e", code: ["-e"] }),
  elixir: language({ short: "er", long: ["--eval"], code: ["-e", "--eval"] }),
  ghc: language({ short: "e", code: ["-e"] }),
  sqlite: sqlShell,
  duckdb: sqlShell,
};
