// Programs that start another program: they come off, and what they start is judged.
import type { Assignment, Bench, Call, PayloadChange, ProgramRule } from "../bench";
import { hasOption, optionValue, parseOptions, type OptionSpec } from "../options";
import { isKnown, listedFrom, literal, unknownPiece, unknownWord, type Output, type Word } from "../word";

/** Takes off options and `skip` operands of the wrapper's own. */
function peel(spec: OptionSpec = {}, skip = 0, privilege?: string): ProgramRule {
  return (call, bench) => {
    if (privilege !== undefined) bench.ask("privilege", privilege);
    const { operands } = parseOptions(call.args, { ...spec, stops: true });
    return operands.length > skip ? bench.runWords(operands.slice(skip)) : null;
  };
}

/** Programs of projects that run a program of the project: nothing is downloaded. */
function peelAfter(verb: RegExp, spec: OptionSpec = {}): ProgramRule {
  return (call, bench) => {
    const { operands } = parseOptions(call.args, { ...spec, stops: true });
    const [first, ...rest] = operands;
    if (first === undefined || !verb.test(first.text)) {
      bench.ask("unknown", `${call.program} ${first?.text ?? ""} is not known`);
      return null;
    }
    const inner = parseOptions(rest, { ...spec, stops: true }).operands;
    return inner.length > 0 ? bench.runWords(inner) : null;
  };
}

const env: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, {
    short: "uCSP",
    long: ["--unset", "--chdir", "--split-string", "--argv0"],
    stops: true,
  });
  const assigned: Assignment[] = [];
  const folder = optionValue(parsed, "-C", "--chdir");
  if (hasOption(parsed, "-P")) bench.ask("code-variable", "env looks for programs in another place");
  const split = optionValue(parsed, "-S", "--split-string");
  let rest = parsed.operands;
  if (split !== null)
    rest = [
      ...split.text
        .split(/\s+/)
        .filter((word) => word !== "")
        .map((word) => literal(word)),
      ...rest,
    ];
  while (rest[0] !== undefined && /^[A-Za-z_]\w*=/.test(rest[0].text)) {
    const [word, ...others] = rest;
    assigned.push({
      name: word.text.slice(0, word.text.indexOf("=")),
      value: { ...word, text: word.text.slice(word.text.indexOf("=") + 1) },
    });
    rest = others;
  }
  if (rest.length === 0) return dumpsEnvironment(bench);
  return bench.runWords(rest, { env: assigned, ...(folder === null ? {} : { folder }) });
};

function dumpsEnvironment(bench: Bench): Output {
  bench.ask("environment", "the environment may hold secrets");
  return { network: false, decoded: false, secret: true, text: null };
}

const printenv: ProgramRule = (call, bench) => {
  const names = call.args.map((word) => word.text).filter((text) => !text.startsWith("-"));
  if (names.some((name) => /token|secret|passw|key|credential/i.test(name))) {
    bench.deny("prints-credential", "prints a credential");
    return null;
  }
  return dumpsEnvironment(bench);
};

const sudo: ProgramRule = (call, bench) => {
  bench.ask("privilege", `${call.program} gives another user's rights`);
  const parsed = parseOptions(call.args, {
    short: "ugpCrtTUDRha",
    long: ["--user", "--group", "--prompt", "--chdir", "--chroot", "--role", "--type", "--host", "--other-user"],
    stops: true,
  });
  const operands = [...parsed.operands];
  const assigned: Assignment[] = [];
  while (operands[0] !== undefined && /^[A-Za-z_]\w*=/.test(operands[0].text)) {
    const word = operands.shift() as Word;
    assigned.push({ name: word.text.split("=")[0] ?? "", value: { ...word, text: word.text.replace(/^[^=]*=/, "") } });
  }
  if (hasOption(parsed, "-e", "--edit") || call.program === "sudoedit") {
    for (const word of operands) bench.touch(word, "write");
    return null;
  }
  return operands.length > 0 ? bench.runWords(operands, { env: assigned }) : null;
};

/** `su user -c 'text'`, `script -c 'text'`, `flock file -c 'text'`: text for a shell, else words. */
function peelText(spec: OptionSpec, skip: number, privilege?: string): ProgramRule {
  return (call, bench) => {
    if (privilege !== undefined) bench.ask("privilege", privilege);
    const parsed = parseOptions(call.args, { ...spec, stops: false });
    const text = optionValue(parsed, "-c", "--command", "--session-command");
    if (text !== null) return bench.runScript(text.text);
    const { operands } = parseOptions(call.args, { ...spec, stops: true });
    const [, ...rest] = operands;
    const inner = rest[0]?.text === "-c" ? null : operands.slice(skip);
    if (inner === null) return bench.runScript(rest[1]?.text ?? unknownPiece);
    return inner.length > 0 && privilege === undefined ? bench.runWords(inner) : null;
  };
}

const script: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, { short: "cEIOBmoTt", long: ["--command", "--return"] });
  for (const file of parsed.operands.slice(0, 1)) bench.touch(file, "write");
  const text = optionValue(parsed, "-c", "--command");
  if (text !== null) return bench.runScript(text.text);
  if (parsed.operands.length > 1) return bench.runWords(parsed.operands.slice(1));
  bench.ask("interactive", "records an interactive shell");
  return null;
};

/** Words become one text for a shell, as `watch`, `ssh`, `hyperfine` and `eval` join them. */
export function joinText(words: readonly Word[]): string {
  return words.map((word) => word.text).join(" ");
}

const watch: ProgramRule = (call, bench) => {
  const { operands } = parseOptions(call.args, { short: "nq", long: ["--interval", "--equexit"], stops: true });
  return bench.runScript(joinText(operands));
};

const xargs: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, {
    short: "IinLPsEdaJRS",
    long: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--process-slot-var"],
    stops: true,
  });
  const file = optionValue(parsed, "-a", "--arg-file");
  if (file !== null) bench.touch(file, "read");
  const mark =
    optionValue(parsed, "-I", "-J", "--replace")?.text ?? (hasOption(parsed, "-i", "--replace") ? "{}" : null);
  const program = parsed.operands.length > 0 ? parsed.operands : [literal("echo")];
  const given = call.stdin?.text ?? null;
  const fromPlaces = call.stdin?.places ?? [];
  const known = given === null || file !== null ? null : given.split(/\s+/).filter((word) => word !== "");
  const data: readonly Word[] =
    known !== null && known.length > 0 && known.length < 64
      ? known.map((word) => literal(word))
      : fromPlaces.length > 0 && file === null
        ? fromPlaces
        : [unknownWord("the names it is given", call.stdin ?? undefined)];
  const words = mark === null ? [...program, ...data] : replaceMark(program, mark, data);
  return bench.runWords(words, { stdin: null });
};

function replaceMark(words: readonly Word[], mark: string, data: readonly Word[]): readonly Word[] {
  return words.flatMap((word) =>
    word.text === mark ? data : [{ ...word, text: word.text.replaceAll(mark, data[0]?.text ?? unknownPiece) }],
  );
}

const parallel: ProgramRule = (call, bench) => {
  const { operands } = parseOptions(call.args, {
    short: "jnNaSd",
    long: ["--jobs", "--arg-file", "--sshlogin"],
    stops: true,
  });
  const at = operands.findIndex((word) => /^:::?:?\+?$/.test(word.text));
  const template = at === -1 ? operands : operands.slice(0, at);
  if (template.length === 0) {
    bench.ask("data-becomes-command", "lines of data become commands");
    for (const word of operands.slice(at + 1)) bench.runScript(word.text);
    return null;
  }
  const data = at === -1 ? [unknownPiece] : operands.slice(at + 1).map((word) => word.text);
  let output: Output | null = null;
  for (const each of data) {
    const text = joinText(template);
    output = bench.runScript(/\{[^}]*\}/.test(text) ? text.replace(/\{[^}]*\}/g, each) : `${text} ${each}`);
  }
  return output;
};

const find: ProgramRule = (call, bench) => {
  const at = call.args.findIndex((word) => /^[-(!]/.test(word.text) && !/^-[HLPO]|^-D$/.test(word.text));
  const starts = (at === -1 ? call.args : call.args.slice(0, at)).filter((word) => !word.text.startsWith("-"));
  const places = starts.length > 0 ? starts : [literal(".")];
  const expression = at === -1 ? [] : call.args.slice(at);
  for (const place of places) bench.touch(place, "list", { tree: true });
  const found = foundBy(places, expression);
  for (let index = 0; index < expression.length; index++) {
    const word = expression[index] as Word;
    const next = expression[index + 1];
    if (word.text === "-delete") for (const each of found) bench.touch(each, "delete", { tree: !each.glob });
    if (word.text === "-delete") bench.ask("many-files", "find deletes what it finds");
    if (/^-f(?:printf?|print0|ls)$/.test(word.text)) {
      bench.ask("find-writes", `${word.text} writes a file`);
      if (next !== undefined) bench.touch(next, "write");
    }
    if (word.text === "-files0-from") bench.ask("unknown-target", "the folders come from data");
    if (word.open) bench.ask("unknown-target", "a part of the expression is only known at run time");
    if (/^-(?:exec|execdir|ok|okdir)$/.test(word.text)) {
      const end = expression.findIndex((each, place) => place > index && (each.text === ";" || each.text === "+"));
      const words = expression.slice(index + 1, end === -1 ? undefined : end);
      for (const each of found) bench.runWords(replaceMark(words, "{}", [each]), { stdin: null });
      index = end === -1 ? expression.length : end;
    }
  }
  return {
    network: false,
    decoded: false,
    secret: false,
    text: null,
    places: found.flatMap((each) => (each.text === "." ? [each, unknownWord("what find finds")] : listedFrom(each))),
  };
};

/** What a search may come out as: a glob where it asks for names, else all of its folders. */
function foundBy(places: readonly Word[], expression: readonly Word[]): readonly Word[] {
  const at = expression.findIndex((word) => /^-i?name$/.test(word.text));
  const pattern = at > 0 && /^(?:!|-not)$/.test(expression[at - 1]?.text ?? "") ? undefined : expression[at + 1];
  const isAlternative = expression.some((word) => /^-(?:o|or)$|^,$/.test(word.text));
  if (at === -1 || pattern === undefined || isAlternative || !isNarrow(pattern)) return places;
  return places.map((place) =>
    place.text.startsWith("/") || place.text.startsWith("~")
      ? place
      : { ...place, text: `${place.text.replace(/\/+$/, "")}/**/${pattern.text}`, glob: true },
  );
}

function isNarrow(pattern: Word): boolean {
  return isKnown({ ...pattern, glob: false }) && /[^*?.]/.test(pattern.text);
}

function remoteChange(): PayloadChange {
  return { remote: true, stdin: null };
}

const chroot: ProgramRule = (call, bench) => {
  bench.ask("privilege", "chroot enters another system");
  const { operands } = parseOptions(call.args, { stops: true });
  return operands.length > 1 ? bench.runWords(operands.slice(1), remoteChange()) : null;
};

const time: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, { short: "fo", long: ["--format", "--output"], stops: true });
  const file = optionValue(parsed, "-o", "--output");
  if (file !== null) bench.touch(file, "write");
  return parsed.operands.length > 0 ? bench.runWords(parsed.operands, { sameShell: true }) : null;
};

const crossEnv: ProgramRule = (call, bench) => env({ ...call, program: "env" }, bench);

const command: ProgramRule = (call, bench) => {
  const { options, operands } = parseOptions(call.args, { stops: true });
  if (options.some(({ name }) => name === "-v" || name === "-V")) return null;
  return operands.length > 0 ? bench.runWords(operands, { sameShell: true }) : null;
};

const hyperfine: ProgramRule = (call, bench) => {
  const { operands } = parseOptions(call.args, {
    short: "wmMrpcsn",
    long: ["--warmup", "--runs", "--prepare", "--cleanup", "--setup"],
  });
  for (const word of operands) bench.runScript(word.text);
  return null;
};

const outside: ProgramRule = (call: Call, bench) => {
  bench.ask("unknown", `${call.program} runs commands later or elsewhere`);
  const { operands } = parseOptions(call.args);
  for (const word of operands) {
    bench.mention(word.text);
    if (/\s/.test(word.text)) bench.tryScript(word.text);
  }
  // What comes by standard input are commands, for crontab behind the times they run at.
  for (const line of call.stdin?.text?.split("\n") ?? [])
    bench.tryScript(line.replace(/^(?:@\w+|(?:[\d*,/-]+\s+){5})/, ""));
  if (call.stdin !== null && (call.stdin.network || call.stdin.decoded))
    bench.deny("remote-code", "text from elsewhere is run as a command");
  return null;
};

export const wrappers: Readonly<Record<string, ProgramRule>> = {
  env,
  "cross-env": crossEnv,
  printenv,
  sudo,
  sudoedit: sudo,
  doas: sudo,
  pkexec: peel({ long: ["--user"] }, 0, "pkexec gives another user's rights"),
  runuser: peelText({ short: "cgGus", long: ["--command", "--user"] }, 0, "runuser gives another user's rights"),
  su: peelText({ short: "cgGsw", long: ["--command", "--shell"] }, 1, "su gives another user's rights"),
  gosu: peel({}, 1, "gosu gives another user's rights"),
  "su-exec": peel({}, 1, "su-exec gives another user's rights"),
  nice: peel({ short: "n", long: ["--adjustment"] }),
  ionice: peel({ short: "ncpPu", long: ["--class", "--classdata"] }),
  chrt: peel({ short: "TPD" }, 1),
  taskset: peel({}, 1),
  numactl: peel({ short: "NmCp" }),
  nohup: peel(),
  setsid: peel(),
  timeout: peel({ short: "ks", long: ["--kill-after", "--signal"] }, 1),
  gtimeout: peel({ short: "ks", long: ["--kill-after", "--signal"] }, 1),
  stdbuf: peel({ short: "ioe", long: ["--input", "--output", "--error"] }),
  unbuffer: peel(),
  caffeinate: peel({ short: "tw" }),
  time,
  command,
  builtin: command,
  "!": command,
  exec: (call, bench) => {
    const { operands } = parseOptions(call.args, { short: "a", stops: true });
    return operands.length > 0 ? bench.runWords(operands) : null;
  },
  flock: peelText({ short: "cwE", long: ["--command", "--wait", "--timeout", "--conflict-exit-code"] }, 1),
  script,
  watch,
  xargs,
  parallel,
  find,
  fd: (call, bench) => {
    const at = call.args.findIndex((word) => /^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)$/.test(word.text));
    if (at !== -1) return bench.runWords([...call.args.slice(at + 1), unknownWord("what fd finds")]);
    const { operands } = parseOptions(call.args, {
      short: "detEcjS",
      long: ["--type", "--extension", "--max-depth", "--exclude"],
    });
    for (const word of operands.slice(1)) bench.touch(word, "list", { tree: true });
    return null;
  },
  strace: peel({ short: "eopPsuEaIObSUX" }, 0, "strace watches another program"),
  ltrace: peel({ short: "eopsu" }, 0, "ltrace watches another program"),
  unshare: peel({}, 0, "unshare changes namespaces"),
  nsenter: peel({ short: "tS" }, 0, "nsenter enters other namespaces"),
  chroot,
  fakeroot: peel(),
  firejail: peel(),
  bwrap: peel({}, 0, "bwrap runs a program in another view of the disk"),
  "systemd-run": peel({ short: "pMHut", long: ["--unit", "--property"] }, 0, "systemd-run starts a service"),
  hyperfine,
  entr: peel(),
  torsocks: peel({}, 0, "torsocks reaches the network"),
  proxychains: peel({ short: "f" }, 0, "proxychains reaches the network"),
  busybox: peel(),
  toybox: peel(),
  "dumb-init": peel(),
  tini: peel({ short: "p" }),
  bundle: peelAfter(/^exec$/),
  poetry: peelAfter(/^run$/),
  pipenv: peelAfter(/^run$/),
  pdm: peelAfter(/^run$/),
  hatch: peelAfter(/^run$/),
  rye: peelAfter(/^run$/),
  conda: peelAfter(/^run$/, { short: "np" }),
  mise: peelAfter(/^(?:exec|x)$/),
  asdf: peelAfter(/^exec$/),
  direnv: (call, bench) => {
    bench.ask("code-variable", "direnv loads .envrc");
    return peel({}, 2)(call, bench);
  },
  dotenv: peel({ short: "ef" }),
  crontab: outside,
  at: outside,
  batch: outside,
  screen: outside,
  tmux: outside,
};
