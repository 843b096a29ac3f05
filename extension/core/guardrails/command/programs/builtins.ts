// Builtins of the shell: they change what later words mean, or nothing at all.
import { decodeEscapes } from "../decodeEscapes";
import { namesSecret } from "../decodeWords";
import { judgeAssignment } from "../codeVariables";
import { joinFolder } from "../scope";
import type { Bench, Call, ProgramRule } from "../bench";
import { optionValue, parseOptions } from "../options";
import {
  carriedBy,
  isKnown,
  literal,
  nothingCarried,
  silent,
  unknownPiece,
  unknownWord,
  type Output,
  type Word,
} from "../word";

const quiet: ProgramRule = () => silent;

const echo: ProgramRule = (call, bench) => {
  const words = call.args;
  prints(words, bench);
  const isOption = (word: Word): boolean => /^-[neE]+$/.test(word.text);
  const first = words.findIndex((word) => !isOption(word));
  const shown = first === -1 ? [] : words.slice(first);
  const escapes = words.slice(0, first === -1 ? undefined : first).some((word) => word.text.includes("e"));
  return written(shown, escapes ? decodeEscapes(joined(shown)) : joined(shown));
};

function joined(words: readonly Word[]): string {
  return words.map((word) => word.text).join(" ");
}

function written(words: readonly Word[], text: string): Output {
  const known = words.every(isKnown);
  const places = known && /^[\w./-]+$/.test(text.trim()) ? words : [];
  return { ...carriedBy(words), text: known ? `${text}\n` : null, places };
}

function prints(words: readonly Word[], bench: Bench): void {
  for (const word of words) {
    if (secretVariable(word.raw) && word.text.includes(unknownPiece))
      bench.deny("prints-credential", `${word.raw} may print a secret`);
    if (word.glob) bench.touch(word, "list");
  }
}

function secretVariable(raw: string): boolean {
  return [...raw.matchAll(/\$\{?!?([A-Za-z_]\w*)/g)].some(([, name = ""]) => namesSecret(name));
}

const printf: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, { short: "v", stops: true });
  const name = optionValue(parsed, "-v");
  if (name !== null && /\[/.test(name.text)) bench.ask("evaluates-value", "a subscript may run a command");
  if (name !== null) call.scope.variables.set(name.text, null);
  const [format, ...rest] = parsed.operands;
  prints(parsed.operands, bench);
  if (format === undefined) return silent;
  let index = 0;
  const text = decodeEscapes(format.text).replace(/%(?:%|[-+ #0-9.*]*[a-zA-Z])/g, (spec) => {
    if (spec === "%%") return "%";
    const value = rest[index++]?.text ?? "";
    return spec.endsWith("b") ? decodeEscapes(value) : value;
  });
  const more = rest.slice(index).map((word) => word.text);
  const output = written(parsed.operands, [text, ...more].join(more.length > 0 ? " " : ""));
  return { ...output, text: output.text?.replace(/\n$/, "") ?? null };
};

const cd: ProgramRule = (call, bench) => {
  const { operands } = parseOptions(call.args);
  const target = operands[0] ?? literal(bench.home);
  const { scope } = call;
  if (scope.remote) return silent;
  if (target.text === "-" || !isKnown(target)) {
    if (!isKnown(target)) bench.touch(target, "list");
    scope.cwds = null;
    return silent;
  }
  bench.touch(target, "list");
  scope.movedForSure = bench.exists(target.text);
  scope.cwds =
    scope.cwds?.map((cwd) => joinFolder(cwd, target.text)) ?? (target.text.startsWith("/") ? [target.text] : null);
  return silent;
};

const pwd: ProgramRule = (call) => {
  const folder = call.scope.cwds?.length === 1 ? call.scope.cwds[0] : undefined;
  return { ...nothingCarried, text: folder === undefined || call.scope.remote ? null : `${folder}\n` };
};

/** `export A=1`: the walk has judged the assignments that the grammar shows; these are the ones hidden in words. */
const declare: ProgramRule = (call, bench) => {
  if (call.args.some((word) => word.open || word.text.startsWith(unknownPiece))) {
    bench.ask("unknown-target", "which variable is set is only known at run time");
  }
  const { options, operands } = parseOptions(call.args);
  for (const word of operands) {
    const at = word.text.indexOf("=");
    const name = at === -1 ? word.text : word.text.slice(0, at);
    if (name.includes("[")) bench.ask("evaluates-value", "a subscript may run a command");
    const value = { ...word, text: at === -1 ? unknownPiece : word.text.slice(at + 1) };
    const verdict = at === -1 ? null : judgeAssignment({ name, value });
    if (verdict !== null) bench.add(verdict);
    if (at !== -1) call.scope.variables.set(name, [value]);
  }
  const dumps =
    operands.length === 0 && options.every(({ name }) => name === "-p" || name === "-x") && !call.source.includes("=");
  if (dumps && call.program !== "local") bench.ask("environment", "the variables may hold secrets");
  return silent;
};

const set: ProgramRule = (call, bench) => {
  if (call.args.length === 0) bench.ask("environment", "the variables may hold secrets");
  if (call.args.some((word) => /^-\w*e/.test(word.text) || word.text === "errexit")) call.scope.stopsOnFailure = true;
  return silent;
};

const read: ProgramRule = (call, bench) => {
  const { operands } = parseOptions(call.args, { short: "adinNptu" });
  for (const word of operands) {
    if (word.text.includes("[")) bench.ask("evaluates-value", "a subscript may run a command");
    const data = call.stdin ?? nothingCarried;
    const places = call.stdin?.places ?? [];
    call.scope.variables.set(
      word.text,
      places.length > 0 && places.length < 6 ? places : [unknownWord(`$${word.text}`, data)],
    );
  }
  return silent;
};

const evalText: ProgramRule = (call, bench) => {
  const carried = carriedBy(call.args);
  if (carried.network || carried.decoded) {
    bench.deny("remote-code", "text from elsewhere is run as a command");
    return null;
  }
  const text = joined(call.args);
  if (text.includes(unknownPiece)) bench.ask("unknown-text", "the text that runs is only known at run time");
  return text.trim() === "" ? silent : bench.runScript(text, { sameShell: true });
};

const source: ProgramRule = (call, bench) => {
  const [file] = call.args;
  if (file === undefined) return null;
  if (file.carried.network || file.carried.decoded || call.scope.downloads.has(file.text)) {
    bench.deny("remote-code", "text from elsewhere is run as a command");
    return null;
  }
  bench.ask("runs-file", `what ${file.raw} holds is run without being read here`);
  bench.touch(file, "read");
  return null;
};

const alias: ProgramRule = (call, bench) => {
  if (call.args.length === 0) return silent;
  bench.ask("redefines", "an alias changes what later words mean");
  for (const word of call.args)
    if (word.text.includes("=")) bench.runScript(word.text.slice(word.text.indexOf("=") + 1));
  return null;
};

const trap: ProgramRule = (call, bench) => {
  const { operands } = parseOptions(call.args, { stops: true });
  const [text] = operands;
  if (text === undefined || text.text === "-" || text.text === "" || operands.length === 1) return silent;
  bench.ask("deferred", "the command runs later");
  bench.runScript(text.text);
  return null;
};

function asks(reason: string): ProgramRule {
  return (_call: Call, bench) => {
    bench.ask("shell-state", reason);
    return null;
  };
}

const test: ProgramRule = (call, bench) => {
  if (call.args.some((word) => /^\w+\[.*(?:\$\(|`)/.test(word.text)))
    bench.ask("evaluates-value", "a subscript may run a command");
  return silent;
};

const unset: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args);
  for (const word of parsed.operands) {
    if (word.text.includes("[")) bench.ask("evaluates-value", "a subscript may run a command");
    if (judgeAssignment({ name: word.text, value: literal("x") }) !== null)
      bench.ask("code-variable", `${word.text} matters to other programs`);
    call.scope.variables.set(word.text, [literal("")]);
  }
  return silent;
};

const kill: ProgramRule = (call, bench) => {
  const texts = call.args.map((word) => word.text);
  if (texts.some((text) => /^(?:-l|-L|--list)$/.test(text))) return null;
  if (/donegate/i.test(call.source)) bench.deny("harness", "the harness is not ended by what it guards");
  const targets = texts.filter((text, index) => index > 0 || !/^-/.test(text));
  if (targets.some((text) => text === "-1" || text === "1" || text === "0"))
    bench.deny("host", "ends everything that runs");
  else if (!targets.every((text) => /^%\d*$/.test(text)))
    bench.ask("signals", "signals a process that the harness did not start");
  return null;
};

export const builtins: Readonly<Record<string, ProgramRule>> = {
  ...Object.fromEntries(
    [
      ":",
      "true",
      "false",
      "exit",
      "return",
      "break",
      "continue",
      "shift",
      "wait",
      "times",
      "getopts",
      "umask",
      "ulimit",
      "jobs",
      "fg",
      "bg",
      "disown",
      "suspend",
      "dirs",
      "hash",
      "caller",
      "logout",
    ].map((name) => [name, quiet]),
  ),
  echo,
  printf,
  cd,
  chdir: cd,
  pushd: cd,
  popd: (call) => {
    call.scope.cwds = null;
    return silent;
  },
  pwd,
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  set,
  shopt: (call, bench) => {
    if (call.args.some((word) => /expand_aliases|extdebug/.test(word.text)))
      bench.ask("shell-state", "aliases change what later words mean");
    return silent;
  },
  setopt: quiet,
  unset,
  read,
  mapfile: read,
  readarray: read,
  let: test,
  test,
  "[": test,
  "[[": test,
  eval: evalText,
  source,
  ".": source,
  alias,
  unalias: quiet,
  trap,
  kill,
  enable: asks("builtins can be replaced"),
  bind: asks("keys can run commands"),
  complete: asks("completion can run commands"),
  compgen: asks("completion can run commands"),
  history: asks("the history may hold secrets"),
  fc: asks("runs commands of the history"),
  type: quiet,
};
