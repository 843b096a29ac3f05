// Programs that talk to other machines: they always ask; a secret on its way out, or a shell handed out, is denied.
import type { Bench, Call, ProgramRule } from "../bench";
import { hasOption, optionValue, parseOptions } from "../options";
import { carriedBy, unknownOutput, type Output, type Word } from "../word";
import { joinText } from "./wrappers";

const fromNetwork: Output = { network: true, decoded: false, secret: false, text: null };

/** What leaves the machine with this call. */
function judgeLeaving(call: Call, bench: Bench, sendsStdin: boolean): void {
  if (carriedBy(call.args).secret || carriedBy(call.env.map(({ value }) => value)).secret)
    bench.deny("sends-secret", "sends a secret out");
  if (sendsStdin && call.stdin?.secret === true) bench.deny("sends-secret", "sends what may be a secret out");
}

/** A file that is sent: secret ones never leave. */
function sendFile(word: Word, bench: Bench): void {
  if (bench.isSecret(word)) bench.deny("sends-secret", `${word.raw} usually holds secrets`);
  else bench.touch(word, "read");
}

const metadata =
  /(?:169\.254\.169\.254|metadata\.google\.internal|169\.254\.170\.2|\[?fd00:ec2::254|100\.100\.100\.200)/i;

const curl: ProgramRule = (call, bench) => {
  bench.ask("network", "reaches the network");
  const parsed = parseOptions(call.args, {
    short: "dFTHoXuAbcemKExUwrYyzCDPQ",
    long: [
      "--data",
      "--data-raw",
      "--data-binary",
      "--data-urlencode",
      "--data-ascii",
      "--form",
      "--form-string",
      "--json",
      "--upload-file",
      "--header",
      "--output",
      "--output-dir",
      "--request",
      "--user",
      "--user-agent",
      "--cookie",
      "--cookie-jar",
      "--config",
      "--proxy",
      "--cert",
      "--key",
      "--cacert",
      "--url",
      "--max-time",
      "--retry",
      "--connect-timeout",
      "--unix-socket",
      "--resolve",
      "--write-out",
      "--referer",
      "--dump-header",
      "--trace",
      "--trace-ascii",
      "--netrc-file",
    ],
  });
  const sends = parsed.options.filter(({ name }) => /^(?:-d|-F|-T|--data.*|--form|--json|--upload-file)$/.test(name));
  for (const { name, value } of sends) {
    const text = value?.text ?? "";
    const file = /^-T$|^--upload-file$/.test(name) ? text : (/(?:^|=)[@<]([^;]+)/.exec(text)?.[1] ?? "");
    if (value !== null && file !== "" && file !== "-") sendFile({ ...value, text: file }, bench);
  }
  judgeLeaving(call, bench, sends.length > 0);
  for (const name of ["-o", "--output", "-c", "--cookie-jar", "-D", "--dump-header", "--trace", "--trace-ascii"]) {
    const file = optionValue(parsed, name);
    if (file !== null) writeDownload(file, call, bench);
  }
  const config = optionValue(parsed, "-K", "--config");
  if (config !== null) bench.touch(config, "read");
  if (/docker\.sock|containerd\.sock/.test(call.source))
    bench.deny("host-takeover", "reaches the container service, which owns the host");
  const addresses = [
    ...parsed.operands,
    ...parsed.options.filter(({ name }) => name === "--url").flatMap(({ value }) => (value === null ? [] : [value])),
  ];
  for (const word of addresses) {
    if (metadata.test(word.text)) bench.deny("prints-credential", "asks the cloud's metadata service for credentials");
    if (/^file:\/\//i.test(word.text))
      bench.touch({ ...word, text: word.text.replace(/^file:\/\/(?:localhost)?/i, "") }, "read");
  }
  if (hasOption(parsed, "-O", "--remote-name")) for (const word of addresses) downloadNamed(word, call);
  return fromNetwork;
};

function writeDownload(file: Word, call: Call, bench: Bench): void {
  bench.touch(file, "write");
  call.scope.downloads.add(file.text.replace(/^\.\//, ""));
}

function downloadNamed(word: Word, call: Call): void {
  const name = word.text.split(/[?#]/)[0]?.split("/").at(-1) ?? "";
  if (name !== "") call.scope.downloads.add(name);
}

const wget: ProgramRule = (call, bench) => {
  bench.ask("network", "reaches the network");
  const parsed = parseOptions(call.args, {
    short: "OoPaiUetTQlADIXB",
    long: [
      "--output-document",
      "--output-file",
      "--directory-prefix",
      "--post-file",
      "--body-file",
      "--post-data",
      "--header",
      "--execute",
      "--input-file",
      "--user-agent",
      "--use-askpass",
    ],
  });
  for (const name of ["--post-file", "--body-file"]) {
    const file = optionValue(parsed, name);
    if (file !== null) sendFile(file, bench);
  }
  judgeLeaving(call, bench, false);
  if (hasOption(parsed, "-e", "--execute", "--use-askpass"))
    bench.ask("option", "wget takes settings that can run a program");
  for (const name of ["-O", "-o", "-a", "-P", "--output-document", "--output-file", "--directory-prefix"]) {
    const file = optionValue(parsed, name);
    if (file !== null && file.text !== "-") writeDownload(file, call, bench);
  }
  for (const word of parsed.operands) {
    if (metadata.test(word.text)) bench.deny("prints-credential", "asks the cloud's metadata service for credentials");
    downloadNamed(word, call);
  }
  return fromNetwork;
};

const netcat: ProgramRule = (call, bench) => {
  bench.ask("network", "opens a network connection");
  const parsed = parseOptions(call.args, { short: "ecpswiXxqgGIOTV", long: ["--exec", "--sh-exec", "--lua-exec"] });
  if (
    hasOption(parsed, "-e", "--exec", "--sh-exec", "--lua-exec") ||
    (call.program !== "nc" && hasOption(parsed, "-c")) ||
    call.args.some((word) => /^-[a-z]*e$/.test(word.text))
  ) {
    bench.deny("reverse-shell", "hands a program to another machine");
  }
  if (optionValue(parsed, "-c")?.text.includes("sh") === true)
    bench.deny("reverse-shell", "hands a shell to another machine");
  judgeLeaving(call, bench, true);
  return fromNetwork;
};

const socat: ProgramRule = (call, bench) => {
  bench.ask("network", "opens a network connection");
  if (call.args.some((word) => /^(?:exec|system|shell):/i.test(word.text)))
    bench.deny("reverse-shell", "hands a program to another machine");
  for (const word of call.args) {
    const file = /^(?:open|file|gopen|create):([^,]+)/i.exec(word.text)?.[1];
    if (file !== undefined) sendFile({ ...word, text: file }, bench);
  }
  judgeLeaving(call, bench, true);
  return fromNetwork;
};

const remotePlace = /^(?:[\w.@-]+:|scp:\/\/|sftp:\/\/|rsync:\/\/)/;

const scp: ProgramRule = (call, bench) => {
  bench.ask("network", "copies files to or from another machine");
  const parsed = parseOptions(call.args, { short: "cFiJloPSXD" });
  if (hasOption(parsed, "-S", "-o", "-F", "-J")) bench.ask("option", "an option can run a program");
  const target = parsed.operands.at(-1);
  for (const word of parsed.operands.slice(0, -1)) if (!remotePlace.test(word.text)) sendFile(word, bench);
  if (target !== undefined && !remotePlace.test(target.text)) bench.touch(target, "write");
  return null;
};

const ssh: ProgramRule = (call, bench) => {
  bench.ask("network", "works on another machine");
  const parsed = parseOptions(call.args, { short: "bcDeEFIiJlLmoOpQRSWwB", stops: true });
  if (parsed.options.some(({ name, value }) => name === "-o" && /command|exec/i.test(value?.text ?? ""))) {
    bench.ask("option", "an option runs a program here");
    for (const { value } of parsed.options) {
      const text = /^\w*command[= ](.*)$/is.exec(value?.text ?? "")?.[1];
      if (text !== undefined) bench.runScript(text);
    }
  }
  const identity = optionValue(parsed, "-i");
  if (identity !== null && bench.isSecret(identity)) bench.ask("credentials", "uses a key");
  const [, ...payload] = parsed.operands;
  judgeLeaving(call, bench, true);
  if (payload.length > 0) bench.runScript(joinText(payload), { remote: true, stdin: call.stdin });
  else if (call.stdin !== null && call.stdin.text !== null)
    bench.runScript(call.stdin.text, { remote: true, stdin: null });
  return fromNetwork;
};

/** Tools that run a text on many machines. */
const fleet =
  (valued: string, long: readonly string[] = []): ProgramRule =>
  (call, bench) => {
    bench.ask("fleet", "works on other machines");
    const parsed = parseOptions(call.args, { short: valued, long });
    const module = optionValue(parsed, "-a", "--args");
    if (module !== null)
      bench.runScript(module.text.replace(/^(?:cmd|_raw_params)=/, ""), { remote: true, stdin: null });
    for (const word of parsed.operands)
      if (/\s/.test(word.text)) bench.runScript(word.text, { remote: true, stdin: null });
    return fromNetwork;
  };

const asksOnly: ProgramRule = (call, bench) => {
  bench.ask("network", "reaches the network");
  judgeLeaving(call, bench, true);
  return fromNetwork;
};

const sendmail: ProgramRule = (call, bench) => {
  bench.ask("network", "sends a message");
  judgeLeaving(call, bench, true);
  const parsed = parseOptions(call.args, { short: "saAcbrf", long: ["--attach"] });
  const file = optionValue(parsed, "-a", "-A", "--attach");
  if (file !== null) sendFile(file, bench);
  return null;
};

const dns: ProgramRule = (call, bench) => {
  bench.ask("network", "asks a name server");
  judgeLeaving(call, bench, false);
  return unknownOutput;
};

export const network: Readonly<Record<string, ProgramRule>> = {
  curl,
  wget,
  nc: netcat,
  ncat: netcat,
  netcat,
  socat,
  scp,
  sftp: scp,
  ssh,
  autossh: ssh,
  mosh: ssh,
  sshpass: (call, bench) => {
    const { operands } = parseOptions(call.args, { short: "pfdP", stops: true });
    bench.ask("credentials", "uses a password");
    return bench.runWords(operands);
  },
  ansible: fleet("aimuekfM", ["--args", "--inventory", "--module-name", "--extra-vars"]),
  "ansible-playbook": fleet("iuelfMt", ["--inventory", "--extra-vars", "--limit"]),
  pdsh: fleet("wxfltu"),
  pssh: fleet("hHlptoex"),
  "parallel-ssh": fleet("hHlptoex"),
  clush: fleet("wxgX"),
  salt: fleet("ELGNCI"),
  "salt-ssh": fleet("ELGNCI"),
  fab: fleet("Hri"),
  cap: fleet("fr"),
  mina: fleet("f"),
  knife: fleet("xiP"),
  bolt: fleet("tun", ["--targets", "--user"]),
  mssh: fleet(""),
  http: asksOnly,
  https: asksOnly,
  xh: asksOnly,
  aria2c: asksOnly,
  axel: asksOnly,
  lynx: asksOnly,
  w3m: asksOnly,
  links: asksOnly,
  ftp: asksOnly,
  lftp: asksOnly,
  telnet: asksOnly,
  grpcurl: asksOnly,
  websocat: asksOnly,
  ping: dns,
  dig: dns,
  nslookup: dns,
  host: dns,
  whois: dns,
  traceroute: dns,
  mtr: dns,
  nmap: dns,
  rclone: asksOnly,
  mail: sendmail,
  mailx: sendmail,
  sendmail,
  mutt: sendmail,
  ngrok: asksOnly,
  cloudflared: asksOnly,
};
