// PowerShell and cmd by the names of their commands. Their syntax is not bash's, so words are taken as written.
import type { PathUse } from "../../verdict";
import type { Bench, Call, ProgramRule } from "../bench";
import { literal, unknownOutput, type Output, type Word } from "../word";

/** As written, with slashes: a backslash separates folders there. */
export function windowsPath(word: Word): Word {
  const text = word.raw.replace(/^(['"])([^]*)\1$/, "$2").replaceAll("\\", "/");
  return { ...literal(text, word.raw), glob: /[*?]/.test(text) };
}

export function isNetworkShare(word: Word): boolean {
  return /^['"]?\\\\[\w.-]+\\/.test(word.raw);
}

function operandsOf(call: Call): readonly Word[] {
  const named = /^-(?:path|literalpath|filepath|destination|name|include|inputobject)$/i;
  return call.args.filter((word, index) => {
    if (/^-/.test(word.text) || /^\/[a-zA-Z?](?::\S*)?$/.test(word.raw)) return false;
    const before = call.args[index - 1]?.text ?? "";
    return !/^-[a-z]+$/i.test(before) || named.test(before) || isSwitch(before);
  });
}

function isSwitch(text: string): boolean {
  return /^-(?:recurse|force|confirm|whatif|verbose|append|nonewline|hidden|file|directory|raw|passthru|r|rf|s)$/i.test(
    text,
  );
}

function touchAll(use: PathUse["use"], count?: number): ProgramRule {
  return (call, bench) => {
    const tree = call.args.some((word) => /^-(?:r|rf|re\w*|recurse)$/i.test(word.text) || /^\/[sS]$/.test(word.raw));
    if (call.args.some((word) => /^env:/i.test(word.raw))) bench.ask("environment", "the environment may hold secrets");
    for (const word of operandsOf(call).slice(0, count)) touchWindows(word, use, tree, bench);
    if (use === "delete" || tree) {
      if (use !== "list" && use !== "read") bench.ask("deletes", "deletes or changes files and folders");
    }
    return unknownOutput;
  };
}

function touchWindows(word: Word, use: PathUse["use"], tree: boolean, bench: Bench): void {
  if (isNetworkShare(word)) bench.deny("network-share", `${word.raw} sends this machine's credentials to another one`);
  else bench.touch(windowsPath(word), use, { tree });
}

const copies: ProgramRule = (call, bench) => {
  const operands = operandsOf(call);
  const moves = /^(?:move|mi|move-item|ren|rename|rename-item|rni)$/.test(call.program);
  for (const word of operands.slice(0, -1)) touchWindows(word, moves ? "delete" : "read", moves, bench);
  for (const word of operands.slice(-1)) touchWindows(word, "write", false, bench);
  if (/^(?:xcopy|robocopy)$/.test(call.program) || moves) bench.ask("many-files", "copies or moves folders");
  return null;
};

const powershell: ProgramRule = (call, bench) => {
  const at = call.args.findIndex((word) => /^-c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?$/i.test(word.text));
  if (call.args.some((word) => /^-e(?:nc?|c|ncodedcommand)?$/i.test(word.text)))
    bench.deny("remote-code", "encoded text goes straight into an interpreter");
  if (call.stdin !== null && (call.stdin.network || call.stdin.decoded))
    bench.deny("remote-code", "remote text goes straight into an interpreter");
  bench.ask("inline-code", "PowerShell code is not read here in full");
  const text = at === -1 ? call.args.filter((word) => !word.text.startsWith("-")) : call.args.slice(at + 1);
  if (text.length > 0) bench.runScript(text.map((word) => (text.length === 1 ? word.text : word.raw)).join(" "));
  return null;
};

const cmd: ProgramRule = (call, bench) => {
  const at = call.args.findIndex((word) => /^\/[ck]$/i.test(word.raw));
  bench.ask("inline-code", "text for cmd is not read here in full");
  const rest = call.args.slice(at + 1);
  if (at !== -1) bench.runScript(rest.map((word) => (rest.length === 1 ? word.text : word.raw)).join(" "));
  return null;
};

const expression: ProgramRule = (call, bench) => {
  const carried =
    call.args.some((word) => word.carried.network || word.carried.decoded) ||
    call.stdin?.network === true ||
    call.stdin?.decoded === true;
  if (carried) bench.deny("remote-code", "remote text goes straight into an interpreter");
  bench.ask("unknown-text", "the text that runs is only known at run time");
  for (const word of call.args) bench.tryScript(word.text);
  return null;
};

const web: ProgramRule = (call, bench) => {
  bench.ask("network", "reaches the network");
  if (call.args.some((word) => word.carried.secret)) bench.deny("sends-secret", "sends a secret out");
  const at = call.args.findIndex((word) => /^-(?:outfile|infile)$/i.test(word.text));
  const file = call.args[at + 1];
  if (at !== -1 && file !== undefined)
    touchWindows(file, /in/i.test(call.args[at]?.text ?? "") ? "read" : "write", false, bench);
  const output: Output = { network: true, decoded: false, secret: false, text: null };
  return output;
};

function asks(reason: string): ProgramRule {
  return (call, bench) => {
    bench.ask("system", reason, "guarded");
    for (const word of operandsOf(call)) bench.touchUnknown(windowsPath(word));
    return null;
  };
}

function denies(reason: string): ProgramRule {
  return (_call, bench) => {
    bench.deny("host", reason);
    return null;
  };
}

const pure: ProgramRule = (call) => call.stdin ?? unknownOutput;

const rules: readonly (readonly [names: string, rule: ProgramRule])[] = [
  ["get-content gc get-filehash get-acl import-csv", touchAll("read")],
  ["get-childitem gci get-item gi test-path resolve-path get-itemproperty", touchAll("list")],
  ["select-string sls findstr", touchAll("read")],
  [
    "write-output write-host sort-object select-object measure-object where-object format-table ft format-list fl out-string get-date convertfrom-json convertto-json compare-object get-location gl get-command get-help get-member gm out-null group-object split-path join-path get-process write-verbose cls ver where",
    pure,
  ],
  ["set-content sc add-content ac clear-content clc out-file tee-object set-item export-csv", touchAll("write", 1)],
  ["new-item ni md", touchAll("write")],
  ["remove-item ri del erase rd", touchAll("delete")],
  ["copy-item cpi copy xcopy robocopy move-item mi move rename-item rni ren rename", copies],
  ["powershell pwsh", powershell],
  ["cmd", cmd],
  ["invoke-expression iex", expression],
  ["invoke-webrequest iwr invoke-restmethod irm start-bitstransfer", web],
  ["set-executionpolicy", asks("loosens what scripts may run on the host")],
  [
    "start-process saps invoke-command icm invoke-item ii start-job register-scheduledtask foreach-object new-service set-service stop-service stop-process spps new-object add-type import-module install-module set-itemproperty new-itemproperty set-acl attrib icacls takeown wsl certutil bitsadmin mshta regsvr32 rundll32 cscript wscript",
    asks("runs programs or changes the machine"),
  ],
  ["stop-computer restart-computer", denies("stops the host")],
  ["format format-volume clear-disk initialize-disk remove-partition diskpart cipher", denies("overwrites a disk")],
];

export const windowsPrograms: Readonly<Record<string, ProgramRule>> = Object.fromEntries(
  rules.flatMap(([names, rule]) => names.split(/\s+/).map((name) => [name, rule] as const)),
);
