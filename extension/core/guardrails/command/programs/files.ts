// Programs that create, change or delete files: every operand goes through the path guard.
import type { Bench, Call, ProgramRule } from "../bench";
import { hasOption, optionValue, parseOptions, type OptionSpec } from "../options";
import { isKnown, literal, unknownOutput, type Word } from "../word";

const recursive = ["-r", "-R", "--recursive"];

const rm: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args);
  const tree = hasOption(parsed, ...recursive, "-d", "--dir");
  for (const word of parsed.operands) {
    bench.touch(word, "delete", { tree: tree || isRootLike(word, bench.home) });
  }
  bench.ask("deletes", tree ? "deletes folders and what is in them" : "deletes files");
  return null;
};

function isRootLike({ text }: Word, home: string): boolean {
  return /^\/+\*?$/.test(text) || text.replace(/[/*]+$/, "") === home;
}

interface CopySpec extends OptionSpec {
  /** Its sources are gone afterwards. */
  moves?: boolean;
}

function copy({ moves = false, ...spec }: CopySpec): ProgramRule {
  return (call, bench) => {
    const parsed = parseOptions(call.args, { short: "tS", long: ["--target-directory", "--suffix"], ...spec });
    const folder = optionValue(parsed, "-t", "--target-directory");
    const sources = folder === null ? parsed.operands.slice(0, -1) : parsed.operands;
    const target = folder ?? parsed.operands.at(-1);
    const tree = hasOption(parsed, ...recursive, "-a", "--archive");
    for (const word of sources) {
      if (moves) bench.touch(word, "delete", { tree: true });
      else bench.touch(word, "read", { tree });
    }
    if (target !== undefined) writeInto(target, sources, bench);
    if (tree) bench.ask("many-files", "copies whole folders");
    if (sources.length > 2 || sources.some((word) => word.glob)) bench.ask("many-files", "changes many files at once");
    return null;
  };
}

/** The target may be a file, or a folder that the sources go into. */
function writeInto(target: Word, sources: readonly Word[], bench: Bench): void {
  bench.touch(target, "write");
  if (!isKnown(target)) return;
  if (!/\/$|^\.{1,2}$/.test(target.text) && !bench.exists(target.text)) return;
  for (const source of sources) {
    const name = source.text.replace(/\/+$/, "").split("/").at(-1) ?? "";
    if (name !== "" && name !== "." && name !== "..") {
      bench.touch({ ...source, text: `${target.text.replace(/\/+$/, "")}/${name}` }, "write");
    }
  }
}

const ln: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, { short: "tS", long: ["--target-directory"] });
  const [source, target] = parsed.operands;
  const place = target ?? (source === undefined ? undefined : literal(source.text.split("/").at(-1) ?? ""));
  if (source !== undefined) bench.touch(source, hasOption(parsed, "-s", "--symbolic") ? "list" : "write");
  if (place !== undefined && source !== undefined) writeInto(place, [source], bench);
  bench.ask("link", "a link lets one name stand for another file");
  return null;
};

/** Each operand is written. `asks`: why a person has to agree even inside the workspace. */
function writes(spec: OptionSpec & { asks?: string; skip?: number; tree?: readonly string[] } = {}): ProgramRule {
  return (call, bench) => {
    const parsed = parseOptions(call.args, spec);
    const tree = hasOption(parsed, ...(spec.tree ?? []));
    for (const word of parsed.operands.slice(spec.skip ?? 0)) bench.touch(word, "write", { tree });
    if (spec.asks !== undefined) bench.ask("changes-files", spec.asks);
    return unknownOutput;
  };
}

const tee: ProgramRule = (call, bench) => {
  for (const word of parseOptions(call.args).operands) bench.touch(word, "write");
  return call.stdin;
};

const dd: ProgramRule = (call, bench) => {
  for (const word of call.args) {
    const value = { ...word, text: word.text.replace(/^\w+=/, "") };
    if (word.text.startsWith("of=")) bench.touch(value, "write");
    if (word.text.startsWith("if=")) bench.touch(value, "read");
  }
  bench.ask("raw-write", "dd writes raw data");
  return unknownOutput;
};

const truncate: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, { short: "sr", long: ["--size", "--reference"] });
  for (const word of parsed.operands) bench.touch(word, "write");
  bench.ask("changes-files", "cuts files");
  return null;
};

const tar: ProgramRule = (call, bench) => {
  const [first] = call.args;
  const args =
    first !== undefined && /^[a-zA-Z]+$/.test(first.text)
      ? [{ ...first, text: `-${first.text}` }, ...call.args.slice(1)]
      : call.args;
  const parsed = parseOptions(args, {
    short: "fCTXIbgFHKNV",
    long: [
      "--file",
      "--directory",
      "--files-from",
      "--exclude",
      "--exclude-from",
      "--use-compress-program",
      "--to-command",
      "--checkpoint-action",
      "--transform",
    ],
  });
  const runs = [
    "-I",
    "-F",
    "--to-command",
    "--use-compress-program",
    "--checkpoint-action",
    "--rsh-command",
    "--rmt-command",
    "--info-script",
    "--new-volume-script",
  ];
  if (hasOption(parsed, ...runs)) bench.ask("option", "tar runs a program");
  const file = optionValue(parsed, "-f", "--file");
  const folder = optionValue(parsed, "-C", "--directory");
  const lists = hasOption(parsed, "-t", "--list");
  const creates = hasOption(parsed, "-c", "--create", "-r", "--append", "-u", "--update");
  if (file !== null) bench.touch(file, creates ? "write" : "read");
  for (const word of parsed.operands) bench.touch(word, creates ? "read" : "list", { tree: creates });
  if (creates && file === null) return { network: false, decoded: false, secret: false, text: null };
  if (!lists && !creates) {
    bench.ask("many-files", "unpacks an archive whose names are not known");
    bench.touch(folder ?? literal("."), "list");
  }
  return unknownOutput;
};

const unpack: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, { short: "dxo" });
  if (hasOption(parsed, "-l", "-t", "-Z", "-v") && call.program !== "7z") {
    for (const word of parsed.operands.slice(0, 1)) bench.touch(word, "read");
    return null;
  }
  for (const word of parsed.operands) bench.touch(word, "write");
  const folder = optionValue(parsed, "-d");
  if (folder !== null) bench.touch(folder, "write");
  bench.ask("many-files", "packs or unpacks files whose names are not known");
  return null;
};

const compress: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, { short: "S" });
  const toOutput = hasOption(parsed, "-c", "--stdout", "-l", "--list", "-t", "--test");
  for (const word of parsed.operands) bench.touch(word, toOutput ? "read" : "delete");
  if (!toOutput && parsed.operands.length > 0) bench.ask("changes-files", "replaces files by packed ones");
  return {
    network: call.stdin?.network ?? false,
    decoded: hasOption(parsed, "-d", "--decompress"),
    secret: call.stdin?.secret ?? false,
    text: null,
  };
};

const rsync: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, {
    short: "efTBM",
    long: [
      "--rsh",
      "--exclude",
      "--include",
      "--filter",
      "--rsync-path",
      "--exclude-from",
      "--files-from",
      "--log-file",
      "--password-file",
    ],
  });
  if (hasOption(parsed, "-e", "--rsh", "--rsync-path")) bench.ask("option", "rsync runs a program");
  const isRemote = (word: Word): boolean => /^[\w.@-]+:|^rsync:\/\//.test(word.text);
  const target = parsed.operands.at(-1);
  for (const word of parsed.operands.slice(0, -1)) if (!isRemote(word)) bench.touch(word, "read", { tree: true });
  if (target !== undefined && !isRemote(target)) {
    bench.touch(target, "write");
    if (hasOption(parsed, "--delete", "--delete-after", "--delete-before", "--delete-excluded", "--del"))
      bench.touch(target, "delete", { tree: true });
    writeInto(target, parsed.operands.slice(0, -1), bench);
  }
  if (hasOption(parsed, "--remove-source-files"))
    for (const word of parsed.operands.slice(0, -1)) bench.touch(word, "delete", { tree: true });
  bench.ask("many-files", parsed.operands.some(isRemote) ? "copies files over the network" : "copies whole folders");
  return null;
};

const install: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, {
    short: "gmotS",
    long: ["--mode", "--owner", "--group", "--target-directory"],
  });
  if (hasOption(parsed, "-d", "--directory")) for (const word of parsed.operands) bench.touch(word, "write");
  else copy({ short: "gmotS", long: ["--mode", "--owner", "--group", "--target-directory"] })(call, bench);
  bench.ask("changes-files", "installs executable files");
  return null;
};

const patch: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, {
    short: "pdiorBDFVYz",
    long: ["--input", "--directory", "--output", "--strip"],
  });
  for (const word of parsed.operands.slice(0, 1)) bench.touch(word, "write");
  const output = optionValue(parsed, "-o", "--output");
  if (output !== null) bench.touch(output, "write");
  if (!hasOption(parsed, "--dry-run", "--check")) bench.ask("unknown-target", "the patch says which files change");
  return null;
};

const editor: ProgramRule = (call, bench) => {
  const { operands } = parseOptions(call.args, { short: "cSuUiTwWs" });
  for (const word of operands) bench.touch(word, "write");
  bench.ask("option", "an editor can run commands");
  return null;
};

const mkdir = writes({ short: "m", long: ["--mode"] });

const split: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, {
    short: "abClnt",
    long: ["--filter", "--lines", "--bytes", "--suffix-length"],
  });
  if (hasOption(parsed, "--filter")) bench.ask("option", "split runs a program");
  const [source, prefix] = parsed.operands;
  if (source !== undefined) bench.touch(source, "read");
  bench.touch(prefix ?? literal("x"), "write");
  bench.ask("many-files", "writes many files");
  return null;
};

const mv = copy({ moves: true });

export const files: Readonly<Record<string, ProgramRule>> = {
  rm,
  unlink: rm,
  rmdir: rm,
  shred: rm,
  srm: rm,
  trash: rm,
  cp: copy({}),
  gcp: copy({}),
  mv: (call: Call, bench) => {
    mv(call, bench);
    const target = call.args.at(-1);
    if (target !== undefined && isKnown(target) && bench.exists(target.text))
      bench.ask("changes-files", "may replace what is there");
    return null;
  },
  ln,
  link: ln,
  install,
  mkdir,
  touch: writes({ short: "drt", long: ["--date", "--reference"] }),
  mkfifo: writes(),
  mktemp: (_call, bench) => {
    bench.ask("changes-files", "makes a file outside the workspace");
    return unknownOutput;
  },
  tee,
  dd,
  truncate,
  fallocate: truncate,
  chmod: writes({ skip: 1, tree: recursive, asks: "changes who may do what" }),
  chown: writes({ skip: 1, tree: recursive, asks: "changes who owns files" }),
  chgrp: writes({ skip: 1, tree: recursive, asks: "changes who owns files" }),
  chattr: writes({ skip: 1, tree: recursive, asks: "changes attributes" }),
  setfacl: writes({ short: "mxMX", tree: recursive, asks: "changes who may do what" }),
  xattr: writes({ skip: 1, asks: "changes attributes" }),
  tar,
  gtar: tar,
  bsdtar: tar,
  zip: unpack,
  unzip: unpack,
  "7z": unpack,
  cpio: unpack,
  gzip: compress,
  gunzip: compress,
  bzip2: compress,
  bunzip2: compress,
  xz: compress,
  unxz: compress,
  zstd: compress,
  rsync,
  patch,
  split,
  csplit: split,
  vim: editor,
  vi: editor,
  nvim: editor,
  ex: editor,
  ed: editor,
  emacs: editor,
  nano: editor,
  pico: editor,
  micro: editor,
  sponge: writes({ asks: "replaces a file" }),
  dos2unix: writes({ asks: "changes files" }),
  unix2dos: writes({ asks: "changes files" }),
  iconv: (call, bench) => {
    const parsed = parseOptions(call.args, { short: "fto", long: ["--from-code", "--to-code", "--output"] });
    const output = optionValue(parsed, "-o", "--output");
    if (output !== null) bench.touch(output, "write");
    for (const word of parsed.operands) bench.touch(word, "read");
    return unknownOutput;
  },
};
