// Programs that only read, with the options under which they do more.
import type { Bench, Call, ProgramRule } from "../bench";
import { hasOption, optionValue, parseOptions, type OptionSpec, type ParsedOptions } from "../options";
import {
  isKnown,
  listedFrom,
  literal,
  nothingCarried,
  unknownOutput,
  unknownWord,
  type Output,
  type Word,
} from "../word";

interface ReaderSpec extends OptionSpec {
  /** What its operands are; `pattern`: the first one is text, the others are files. */
  operands?: "files" | "folders" | "pattern" | "text" | "none";
  /** Options that run a program, never end or show more than they should: they ask. */
  asks?: readonly string[];
  /** Options whose value is a file that is written. */
  writes?: readonly string[];
  /** Options whose value is a file that is read. */
  reads?: readonly string[];
  /** Options that make it read everything below a folder; `visible`: it always does, hidden files left out. */
  descends?: readonly string[] | "always" | "visible";
  /** Options that bring the pattern, so that no operand is one. */
  patternBy?: readonly string[];
  /** Operands after this many are written. */
  writesAfter?: number;
  /** Options under which its output is decoded text. */
  decodes?: readonly string[];
}

function reader(spec: ReaderSpec): ProgramRule {
  const options = withValues(spec);
  return (call, bench) => {
    const parsed = parseOptions(call.args, options);
    judgeOptions(spec, parsed, call, bench);
    const files = judgeOperands(spec, parsed, bench);
    const decoded = spec.decodes !== undefined && hasOption(parsed, ...spec.decodes);
    const passes = files === 0 && call.stdin !== null;
    const from = passes ? call.stdin : null;
    return {
      network: from?.network ?? false,
      decoded: decoded || (from?.decoded ?? false),
      secret: from?.secret ?? false,
      text: passes && passesText.has(call.program) && call.args.length === 0 ? (from?.text ?? null) : null,
      places: passedPlaces(call, from) ?? listedPlaces(call, parsed),
    };
  };
}

/** Names go through a filter as they are; what changes text may make other names of them. */
function passedPlaces(call: Call, from: Output | null): readonly Word[] | undefined {
  const places = from?.places;
  if (places === undefined || places.length === 0 || filters.has(call.program)) return places;
  return [...places, unknownWord("names made of other names")];
}

function listedPlaces(call: Call, { operands }: ParsedOptions): readonly Word[] {
  if (!listsNames.has(call.program)) return [];
  const named = call.program === "ls" ? operands : operands.slice(1);
  if (named.length === 0) return [{ ...literal("./**/*"), glob: true }];
  return named.every((word) => isKnown(word) || word.glob) ? named.flatMap(listedFrom) : [];
}

const filters: ReadonlySet<string> = new Set(["cat", "grep", "egrep", "fgrep", "head", "tail", "sort", "uniq", "tac"]);
const passesText: ReadonlySet<string> = new Set(["cat"]);
const listsNames: ReadonlySet<string> = new Set(["ls", "grep", "rg"]);

function withValues(spec: ReaderSpec): OptionSpec {
  const valued = [...(spec.writes ?? []), ...(spec.reads ?? []), ...(spec.patternBy ?? [])];
  const short = valued.filter((name) => !name.startsWith("--")).map((name) => name.slice(1));
  return {
    ...spec,
    short: [...new Set([...(spec.short ?? ""), ...short])].join(""),
    long: [...(spec.long ?? []), ...valued.filter((name) => name.startsWith("--"))],
  };
}

function judgeOptions(spec: ReaderSpec, parsed: ParsedOptions, call: Call, bench: Bench): void {
  for (const name of spec.asks ?? []) {
    if (hasOption(parsed, name)) bench.ask("option", `${call.program} ${name} does more than read`);
  }
  for (const name of spec.writes ?? []) touchValue(parsed, name, "write", bench);
  for (const name of spec.reads ?? []) touchValue(parsed, name, "read", bench);
  if (call.program === "rg") {
    for (const { name, value } of parsed.options)
      if (/^(?:-g|--i?glob)$/.test(name) && value !== null && !value.text.startsWith("!"))
        bench.touch({ ...value, glob: true }, "read");
  }
}

function touchValue(parsed: ParsedOptions, name: string, use: "read" | "write", bench: Bench): void {
  const value = optionValue(parsed, name);
  if (value !== null) bench.touch(value, use);
}

/** How many of them are read. */
function judgeOperands(spec: ReaderSpec, parsed: ParsedOptions, bench: Bench): number {
  const kind = spec.operands ?? "files";
  if (kind === "none" && parsed.operands.length > 0) bench.ask("unknown", "operands are not expected here");
  if (kind === "text" || kind === "none") return 0;
  const bringsPattern = kind === "pattern" && !hasOption(parsed, ...(spec.patternBy ?? []));
  const files = bringsPattern ? parsed.operands.slice(1) : parsed.operands;
  if (parsed.unclear && files.length < parsed.operands.length && parsed.operands[0]?.open === true) {
    bench.ask("unknown-target", "an argument is only known at run time");
  }
  const visible = spec.descends === "visible";
  const tree =
    spec.descends === "always" ||
    (Array.isArray(spec.descends) && hasOption(parsed, ...(spec.descends as readonly string[])));
  const targets = files.length === 0 && (tree || visible) ? [literal(".")] : files;
  if (visible) for (const word of targets) bench.touch(word, "list", { tree: true });
  targets.forEach((word, index) => {
    const written = spec.writesAfter !== undefined && index >= spec.writesAfter;
    bench.touch(word, written ? "write" : kind === "folders" ? "list" : "read", { tree: tree && !written });
  });
  return files.filter((word) => word.text !== "-").length;
}

const grep: ReaderSpec = {
  operands: "pattern",
  short: "ABCDdm",
  long: ["--include", "--exclude", "--exclude-dir", "--max-count", "--context", "--color", "--label"],
  patternBy: ["-e", "--regexp", "-f", "--file"],
  reads: ["-f", "--file"],
  descends: ["-r", "-R", "--recursive", "--dereference-recursive"],
};

/** ripgrep leaves hidden files out by itself: a plain search of a folder prints no `.env`. */
const rg: ReaderSpec = {
  operands: "pattern",
  short: "ABCmgtTjMEdr",
  long: [
    ...[
      "--glob",
      "--iglob",
      "--type",
      "--type-not",
      "--max-count",
      "--context",
      "--max-depth",
      "--sort",
      "--color",
      "--colors",
    ],
    ...[
      "--replace",
      "--max-columns",
      "--threads",
      "--encoding",
      "--after-context",
      "--before-context",
      "--max-filesize",
    ],
  ],
  patternBy: ["-e", "--regexp", "-f", "--file", "--files"],
  reads: ["-f", "--file"],
  asks: ["--pre", "--hostname-bin", "-z", "--search-zip", "--unrestricted", "-u", "--no-ignore", "--hidden", "-."],
  descends: "visible",
};

const sums: ReaderSpec = { asks: [], reads: ["-c", "--check"] };
const pager: ReaderSpec = {
  asks: ["-o", "-O", "--log-file", "-k", "--lesskey-file", "--lesskey-src"],
  short: "pPjxyztT",
};

const specs: Readonly<Record<string, ReaderSpec>> = {
  cat: {},
  tac: {},
  nl: { short: "bdfhilnsvw" },
  head: { short: "nc", long: ["--lines", "--bytes"] },
  tail: {
    short: "ncs",
    long: ["--lines", "--bytes", "--pid", "--sleep-interval"],
    asks: ["-f", "-F", "--follow", "--retry"],
  },
  wc: { reads: ["--files0-from"] },
  sort: {
    short: "kStT",
    long: ["--key", "--field-separator", "--buffer-size", "--parallel", "--batch-size"],
    writes: ["-o", "--output", "-T", "--temporary-directory"],
    reads: ["--files0-from"],
    asks: ["--compress-program"],
  },
  uniq: { short: "fsw", writesAfter: 1 },
  cut: { short: "dfbc", long: ["--delimiter", "--fields", "--characters", "--output-delimiter"] },
  tr: { operands: "text" },
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: grep,
  rg,
  ag: { operands: "pattern", asks: ["--pager"], short: "ABCGm", descends: "always" },
  ack: { operands: "pattern", asks: ["--pager", "--ackrc", "--output"], short: "ABCm", descends: "always" },
  diff: {
    short: "UCWLxXIFS",
    long: ["--label", "--exclude"],
    reads: ["--exclude-from", "--from-file", "--to-file"],
    descends: ["-r", "--recursive"],
  },
  diff3: { asks: ["--diff-program"] },
  cmp: { short: "in" },
  comm: {},
  join: { short: "aeijotv12" },
  paste: { short: "d" },
  column: { short: "csdtNoE" },
  fold: { short: "w" },
  fmt: { short: "wp" },
  pr: { short: "lwho" },
  expand: { short: "t" },
  unexpand: { short: "t" },
  rev: {},
  look: { operands: "pattern" },
  ls: {
    operands: "folders",
    short: "IwT",
    long: ["--ignore", "--hide", "--color", "--sort", "--time", "--format"],
    descends: ["-R", "--recursive"],
  },
  dir: { operands: "folders" },
  exa: { operands: "folders", descends: ["-R", "-T", "--tree", "--recurse"] },
  eza: { operands: "folders", descends: ["-R", "-T", "--tree", "--recurse"] },
  tree: { operands: "folders", short: "LIPH", writes: ["-o"], descends: "always" },
  du: {
    operands: "folders",
    short: "dtXB",
    long: ["--max-depth", "--exclude", "--threshold"],
    reads: ["--files0-from", "-X", "--exclude-from"],
  },
  df: { operands: "folders", short: "tx" },
  stat: { operands: "folders", short: "cft", long: ["--format", "--printf"] },
  file: {
    operands: "files",
    short: "FPe",
    reads: ["-f", "--files-from"],
    asks: ["-m", "--magic-file", "-C", "--compile", "-z"],
  },
  readlink: { operands: "folders" },
  realpath: { operands: "folders", long: ["--relative-to", "--relative-base"] },
  basename: { operands: "text" },
  dirname: { operands: "text" },
  jq: { operands: "pattern", short: "L", long: ["--indent"], reads: ["-f", "--from-file"], asks: ["-L"] },
  xq: { operands: "pattern" },
  od: { short: "AjNtSw" },
  xxd: { short: "colsRn", writesAfter: 1, decodes: ["-r", "--revert"] },
  hexdump: { short: "eflns", asks: [] },
  hd: {},
  strings: { short: "ne" },
  base64: { short: "wbio", long: ["--wrap"], decodes: ["-d", "-D", "--decode"] },
  base32: { short: "w", decodes: ["-d", "--decode"] },
  basenc: { short: "w", decodes: ["-d", "--decode"] },
  uudecode: { decodes: [], asks: ["-o"] },
  zcat: { decodes: [] },
  bzcat: {},
  xzcat: {},
  gzcat: {},
  md5sum: sums,
  sha1sum: sums,
  sha256sum: sums,
  sha512sum: sums,
  shasum: { short: "a", reads: ["-c"] },
  md5: {},
  b2sum: sums,
  cksum: sums,
  sum: {},
  less: pager,
  more: pager,
  bat: {
    asks: ["--pager"],
    short: "lrH",
    long: ["--language", "--line-range", "--style", "--color", "--paging", "--theme"],
  },
  man: {
    operands: "text",
    asks: ["-P", "--pager", "-H", "--html", "-C", "--config-file", "-M", "--manpath", "-l"],
    short: "MSsmeLpR",
  },
  info: { operands: "text", asks: ["-o", "--output"] },
  whatis: { operands: "text" },
  apropos: { operands: "text" },
  tldr: { operands: "text" },
  date: { operands: "text", short: "dr", long: ["--date"], reads: ["-f", "--file"], asks: ["-s", "--set"] },
  cal: { operands: "text" },
  seq: { operands: "text", short: "fs" },
  sleep: { operands: "text" },
  expr: { operands: "text" },
  factor: { operands: "text" },
  numfmt: { operands: "text" },
  uname: { operands: "none" },
  arch: { operands: "none" },
  nproc: { operands: "none" },
  whoami: { operands: "none" },
  logname: { operands: "none" },
  id: { operands: "text" },
  groups: { operands: "text" },
  tty: { operands: "none" },
  hostname: { operands: "none", asks: ["-F", "--file", "-b"] },
  uptime: { operands: "none" },
  free: { operands: "none", short: "sc" },
  locale: { operands: "text" },
  getconf: { operands: "text" },
  tput: { operands: "text" },
  clear: { operands: "none" },
  which: { operands: "text" },
  whereis: { operands: "text" },
  ps: { operands: "text", asks: ["-E"] },
  pgrep: { operands: "text", short: "uUgGPst", asks: [] },
  pidof: { operands: "text" },
  lscpu: { operands: "none" },
  lsblk: { operands: "text" },
  tokei: { operands: "folders" },
  cloc: { operands: "folders" },
  scc: { operands: "folders" },
  yes: { operands: "text" },
};

const ps: ProgramRule = (call, bench) => {
  // BSD style `e` shows every process's variables.
  if (call.args.some((word) => /^[a-z]*e[a-z]*$/.test(word.text)))
    bench.ask("environment", "variables of processes may hold secrets");
  return unknownOutput;
};

const jq: ProgramRule = (call, bench) => {
  const valued = new Set(["--arg", "--argjson"]);
  const files = new Set(["--slurpfile", "--rawfile"]);
  const rest: Word[] = [];
  for (let at = 0; at < call.args.length; at++) {
    const word = call.args[at] as Word;
    if (valued.has(word.text)) at += 2;
    else if (files.has(word.text)) {
      const file = call.args[at + 2];
      if (file !== undefined) bench.touch(file, "read");
      at += 2;
    } else if (word.text === "--args" || word.text === "--jsonargs") break;
    else rest.push(word);
  }
  if (rest.some((word) => /(?:^|[^.\w])(?:env|\$ENV)\b/.test(word.text)))
    bench.ask("environment", "the environment may hold secrets");
  return reader(specs["jq"] ?? {})({ ...call, args: rest }, bench);
};

/** sed: `-i` writes its files; the commands `e`, `w`, `r` run, write and read. */
const sed: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, { short: "efl", long: ["--expression", "--file", "--line-length"] });
  const inPlace = parsed.options.some(({ name }) => name === "-i" || name === "-I" || name.startsWith("--in-place"));
  const given = [...parsed.options.filter(({ name }) => name === "-e" || name === "--expression")].flatMap(
    ({ value }) => (value === null ? [] : [value]),
  );
  const fromFile = optionValue(parsed, "-f", "--file");
  if (fromFile !== null) {
    bench.touch(fromFile, "read");
    bench.ask("runs-file", "a sed script can run commands");
  }
  const scripts = given.length > 0 || fromFile !== null ? given : parsed.operands.slice(0, 1);
  const files = given.length > 0 || fromFile !== null ? parsed.operands : parsed.operands.slice(1);
  for (const script of scripts) judgeSedScript(script, bench);
  for (const file of files) bench.touch(file, inPlace ? "write" : "read");
  if (parsed.unclear && scripts.some((word) => word.open))
    bench.ask("unknown-target", "an argument is only known at run time");
  const from = files.length === 0 ? call.stdin : null;
  return {
    ...nothingCarried,
    network: from?.network ?? false,
    decoded: from?.decoded ?? false,
    secret: from?.secret ?? false,
    text: null,
    places: passedPlaces(call, from) ?? [],
  };
};

function judgeSedScript({ text }: Word, bench: Bench): void {
  const commands = text.split(/[\n;{}]+/).map((each) => each.trim());
  const address =
    /^(?:\d+|\$|\/(?:[^/\\]|\\.)*\/|\\(.)(?:(?!\1).)*\1)?(?:[,~](?:\+?\d+|\$|\/(?:[^/\\]|\\.)*\/))?\s*!?\s*/;
  for (const command of commands) {
    const body = command.replace(address, "");
    if (/^e(?:\s|$)/.test(body) || substituteFlags(body).includes("e")) bench.ask("option", "sed runs a program");
    const written = /^[wW]\s*(\S+)/.exec(body)?.[1] ?? /w\s*(\S+)$/.exec(substituteFlags(body))?.[1];
    if (written !== undefined) bench.touch(literal(written), "write");
    const read = /^[rR]\s*(\S+)/.exec(body)?.[1];
    if (read !== undefined) bench.touch(literal(read), "read");
  }
}

/** What follows the third delimiter of `s/a/b/…`. */
function substituteFlags(body: string): string {
  if (!/^s[^\s\w\\]/.test(body)) return "";
  const delimiter = body[1] ?? "/";
  let seen = 0;
  for (let at = 1; at < body.length; at++) {
    if (body[at] === "\\") at++;
    else if (body[at] === delimiter && ++seen === 3) return body.slice(at + 1);
  }
  return "";
}

const awk: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, {
    short: "Fvfei",
    long: ["--assign", "--field-separator", "--file", "--source", "--include"],
    stops: true,
  });
  const file = optionValue(parsed, "-f", "--file");
  if (file !== null || hasOption(parsed, "-i", "-l", "-E", "--include", "--load", "--exec")) {
    bench.ask("runs-file", "an awk program can run commands");
    if (file !== null) bench.touch(file, "read");
  }
  const [first, ...rest] = parsed.operands;
  const given = optionValue(parsed, "-e", "--source");
  const program = file !== null ? null : (given ?? first ?? null);
  const files = (program === first && program !== null ? rest : parsed.operands).filter(
    (word) => !/^\w+=/.test(word.text),
  );
  if (
    program !== null &&
    /system\s*\(|\|\s*getline|\|&?\s*"|"\s*\||>\s*[^=]|getline\s*<|ENVIRON|@(?:include|load)|\|\s*&|\|\s*\w/.test(
      stripAwkRegex(program.text),
    )
  ) {
    bench.ask("option", "this awk program runs a command, writes a file or reads the environment");
    for (const [, text = ""] of program.text.matchAll(/"((?:[^"\\]|\\.)*)"/g)) bench.mention(text);
    for (const [, text = ""] of program.text.matchAll(/(?:system\s*\(\s*|\|\s*)"((?:[^"\\]|\\.)*)"/g))
      bench.runScript(text);
  }
  if (program !== null && !isKnown({ ...program, glob: false }))
    bench.ask("unknown-text", "the awk program is only known at run time");
  for (const each of files) bench.touch(each, "read");
  const from = files.length === 0 ? call.stdin : null;
  return {
    network: from?.network ?? false,
    decoded: from?.decoded ?? false,
    secret: from?.secret ?? false,
    text: null,
    places: passedPlaces(call, from) ?? [],
  };
};

function stripAwkRegex(program: string): string {
  return program.replace(/\|\|/g, " or ").replace(/\$\w+\s*>=?\s*[\d.]+|\w+\s*>=?\s*[\d.]+/g, "compared");
}

const yq: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, { short: "pIo", long: ["--output-format", "--input-format", "--indent"] });
  const inPlace = hasOption(parsed, "-i", "--inplace", "--in-place");
  if (parsed.operands.some((word) => /\benv\b|\bload|strenv|system/.test(word.text)))
    bench.ask("environment", "the expression may read the environment or other files");
  parsed.operands.slice(1).forEach((word) => bench.touch(word, inPlace ? "write" : "read"));
  return null;
};

/** Reads archives; anything else about them is judged with the programs that write. */
export const readers: Readonly<Record<string, ProgramRule>> = {
  ...Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, reader(spec)])),
  ps,
  jq,
  yq,
  sed,
  gsed: sed,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
};
