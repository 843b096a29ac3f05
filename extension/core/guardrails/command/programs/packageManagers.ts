// Package managers: scripts of the workspace by their name, downloads and releases by what they do.
import type { Bench, Call, ProgramRule } from "../bench";
import { hasOption, optionValue, parseOptions, type ParsedOptions } from "../options";
import { isKnown, literal, type Word } from "../word";

/** Scripts whose name says that they check or build the workspace. */
const ownScript =
  /^(?:pre|post)?(?:tests?|unit|spec|e2e|lint|build|compile|typecheck|type-check|types|tsc|check|coverage|verify|format:check|format-check|fmt:check|prettier:check)(?:[:._-].*)?$/;
const reachesOut = /deploy|publish|release|push|migrat|upload|seed|fix|write|update|snapshot|watch|clean|reset|serve/i;

export function isOwnScript(name: string): boolean {
  return ownScript.test(name) && !reachesOut.test(name);
}

const publishes = /^(?:publish|unpublish|deprecate|dist-tag|owner|access|stage)$/;
const prints = /^(?:token|whoami)$/;

const node: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, {
    short: "wC",
    long: [
      "--prefix",
      "--workspace",
      "--filter",
      "--cwd",
      "--dir",
      "--userconfig",
      "--registry",
      "--tag",
      "--otp",
      "--access",
      "--loglevel",
      "--script-shell",
      "--node-options",
      "--cache",
    ],
    stops: true,
  });
  judgeGlobals(parsed, bench);
  const [verb, ...rest] = parsed.operands;
  if (verb === undefined) return noVerb(call, parsed, bench);
  if (!isKnown(verb)) {
    bench.ask("unknown-name", "the command is only known at run time");
    return null;
  }
  const own = ownVerb(verb.text, rest, call, bench);
  if (own !== undefined) return own;
  return otherVerb(verb.text, rest, call, bench);
};

function judgeGlobals(parsed: ParsedOptions, bench: Bench): void {
  const folder = optionValue(parsed, "--prefix", "-C", "--cwd", "--dir");
  if (folder !== null) bench.touch(folder, "list");
  for (const name of ["--script-shell", "--node-options", "--userconfig", "--registry", "--globalconfig"]) {
    if (hasOption(parsed, name)) bench.ask("option", `${name} changes what runs or where it comes from`);
  }
  if (hasOption(parsed, "-g", "--global")) bench.ask("outside", "works on the whole machine");
}

function noVerb(call: Call, parsed: ParsedOptions, bench: Bench): null {
  // `yarn` alone installs.
  if (call.program === "yarn" && parsed.options.length === 0) bench.ask("network", "installs packages");
  return null;
}

function ownVerb(verb: string, rest: readonly Word[], call: Call, bench: Bench): null | undefined {
  if (/^(?:test|t|tst)$/.test(verb)) return runScriptNamed("test", rest, bench);
  if (/^(?:run|run-script|rum|urn)$/.test(verb)) {
    const { operands } = parseOptions(rest, { short: "w", long: ["--workspace", "--filter", "--prefix"], stops: true });
    const [name, ...more] = operands;
    return name === undefined ? null : runScriptNamed(isKnown(name) ? name.text : "\0", more, bench);
  }
  if (/^(?:start|stop|restart)$/.test(verb)) return runScriptNamed(verb, rest, bench);
  if (
    /^(?:ls|list|ll|la|explain|why|view|info|show|outdated|root|prefix|bin|help|version\?|fund|query|ping|search|docs|repo|bugs|home)$/.test(
      verb,
    )
  ) {
    if (/^(?:view|info|show|outdated|ping|search|docs|repo|bugs|home)$/.test(verb))
      bench.ask("network", "asks the registry");
    return null;
  }
  if (/^(?:exec|x|dlx)$/.test(verb)) return execute(verb === "dlx" ? "dlx" : call.program, rest, bench);
  return undefined;
}

function runScriptNamed(name: string, rest: readonly Word[], bench: Bench): null {
  const args = rest.map((word) => word.text);
  if (args.some((text) => /^(?:-u|--update|--updateSnapshot|--update-snapshots|--snapshot-update)(?:=|$)/.test(text))) {
    bench.deny("rewrites-snapshots", "rewrites approved snapshots, which belong to the contract");
  }
  if (
    args.some((text) =>
      /^(?:-c|--config|--fix|--write|--watch|--require|-r|--rootDir|--root|--globalSetup|--setupFiles|-w)(?:=|$)/.test(
        text,
      ),
    )
  ) {
    bench.ask("option", "the script gets an option that changes what it runs or writes");
  }
  if (rest.some((word) => !isKnown(word) && !word.glob))
    bench.ask("unknown-target", "an argument is only known at run time");
  if (!isOwnScript(name))
    bench.ask("script", `the script ${name === "\0" ? "" : name} is not known to stay in the workspace`);
  return null;
}

function otherVerb(verb: string, rest: readonly Word[], call: Call, bench: Bench): null {
  const [second] = parseOptions(rest).operands;
  if (verb === "npm" && call.program === "yarn")
    return otherVerb(second?.text ?? "", rest.slice(1), { ...call, program: "npm" }, bench);
  const rehearses = rest.some((word) => word.text === "--dry-run");
  if (publishes.test(verb)) {
    bench.ask(
      "publishes",
      "a public release, which can hardly be taken back",
      rehearses && verb === "publish" ? "normal" : "prod",
    );
    return null;
  }
  if (verb === "pkg") return judgePkg(rest, bench);
  if (prints.test(verb) && second?.text !== undefined && /^(?:create|list|ls)$/.test(second.text)) {
    bench.deny("prints-credential", "prints a credential");
    return null;
  }
  if (verb === "config" || verb === "get" || verb === "set" || verb === "c") {
    if (rest.some((word) => /auth|token|passw/i.test(word.text)) && (verb === "get" || second?.text === "get"))
      bench.deny("prints-credential", "prints a credential");
    bench.ask("settings", "settings may hold credentials and change what later calls do");
    return null;
  }
  const isOwnCommand =
    /^(?:install|i|in|add|ci|clean-install|it|install-test|update|up|upgrade|remove|rm|uninstall|un|audit|link|ln|rebuild|prune|dedupe|init|create|pack|import|fetch|login|logout|adduser|version|cache|patch|approve-builds|store|env|set|self-update|dlx|workspace|workspaces|foreach|deploy|shrinkwrap|plugin|global|hook|org|team|profile|star|unstar|ping)$/;
  if (verb === "deploy") bench.ask("deploys", "deploys packages");
  else if (verb === "workspace" && second !== undefined) bench.runWords([literal(call.program), ...rest.slice(1)]);
  else if (isOwnCommand.test(verb))
    bench.ask("network", `${call.program} ${verb} may download packages and run their scripts`);
  else if (/^(?:yarn|pnpm|bun)$/.test(call.program)) runBinOrScript(verb, rest, bench);
  else bench.ask("unknown", `${call.program} ${verb} is not known`);
  return null;
}

/** `yarn eslint src` runs a script of that name, else the local program. */
function runBinOrScript(verb: string, rest: readonly Word[], bench: Bench): void {
  if (isOwnScript(verb)) runScriptNamed(verb, rest, bench);
  else bench.runWords([literal(verb), ...rest]);
}

function judgePkg(rest: readonly Word[], bench: Bench): null {
  const { operands } = parseOptions(rest);
  const [verb, ...keys] = operands;
  if (verb?.text === "get") return null;
  bench.ask("changes-files", "changes package.json");
  if (
    keys.some(
      (word) =>
        /^["']?(?:scripts|jest|mocha|vitest|ava|type|workspaces|nyc|c8|eslintConfig|tap)\b/.test(word.text) ||
        !isKnown(word),
    ) ||
    verb?.text === "fix"
  ) {
    bench.deny("contract", "changes what the frozen checks run: package.json is changed through the edit tools");
  }
  return null;
}

/** Downloads and runs unless it is told not to; what runs is judged as well. */
function execute(program: string, args: readonly Word[], bench: Bench): null {
  const parsed = parseOptions(args, {
    short: "pc",
    long: ["--package", "--call", "--from", "--with", "--python", "--prefix"],
    stops: true,
  });
  const isLocal = hasOption(parsed, "--no-install", "--no", "--offline") || program === "pnpm" || program === "yarn";
  if (!isLocal) bench.ask("network", "may download and run a package");
  const text = optionValue(parsed, "-c", "--call");
  if (text !== null) bench.runScript(text.text);
  const [name, ...rest] = parsed.operands;
  if (name !== undefined) bench.runWords([{ ...name, text: name.text.replace(/(?<=.)@[^/]*$/, "") }, ...rest]);
  return null;
}

const npx: ProgramRule = (call, bench) => execute("npx", call.args, bench);

/** Installers of other languages: every verb that is not a look asks. */
function installer(looks: RegExp, publishing: RegExp = /^$/): ProgramRule {
  return (call, bench) => {
    const parsed = parseOptions(call.args, {
      short: "ri",
      long: ["--index-url", "--python", "--source"],
      stops: false,
    });
    const [verb, second] = parsed.operands;
    const name = verb?.text ?? "";
    const isRehearsal = hasOption(parsed, "--dry-run", "-n");
    if (publishing.test(name) || publishing.test(`${name} ${second?.text ?? ""}`))
      bench.ask("publishes", "a public release", isRehearsal ? "normal" : "prod");
    else if (!looks.test(name)) bench.ask("network", `${call.program} ${name} may download, install or run packages`);
    return null;
  };
}

const release: ProgramRule = (_call, bench) => {
  bench.ask("publishes", "a public release", "prod");
  return null;
};

const uv: ProgramRule = (call, bench) => {
  const [verb, ...rest] = parseOptions(call.args, { long: ["--directory", "--project"], stops: true }).operands;
  if (verb?.text === "run") {
    const parsed = parseOptions(rest, {
      short: "pm",
      long: ["--with", "--python", "--extra", "--group", "--package", "--env-file"],
      stops: true,
    });
    if (!hasOption(parsed, "--offline", "--frozen", "--no-sync")) bench.ask("network", "uv run may download packages");
    return parsed.operands.length > 0 ? bench.runWords(parsed.operands) : null;
  }
  if (verb?.text === "tool" && rest[0]?.text === "run") return execute("uvx", rest.slice(1), bench);
  return installer(/^(?:tree|version|pip)$/, /^publish$/)(call, bench);
};

const deno: ProgramRule = (call, bench) => {
  const [verb] = call.args;
  const name = verb?.text ?? "";
  if (name === "test" || name === "bench") {
    if (call.args.some((word) => /^(?:-A|--allow-all|--allow-(?:run|net|env|ffi|write).*)$/.test(word.text)))
      bench.ask("option", "the tests get rights beyond the workspace");
  } else if (name === "publish") bench.ask("publishes", "a public release", "prod");
  else if (name === "fmt" && !call.args.some((word) => word.text === "--check"))
    bench.ask("many-files", "deno fmt rewrites sources");
  else if (!/^(?:lint|fmt|check|info|types|doc)$/.test(name))
    bench.ask("runs-file", `deno ${name} runs code or downloads it`);
  return null;
};

const host: ProgramRule = (call, bench) => {
  const [verb] = parseOptions(call.args).operands;
  if (
    verb !== undefined &&
    /^(?:list|search|show|info|policy|depends|leaves|deps)$/.test(verb.text) &&
    call.program !== "apt-key"
  )
    return null;
  bench.ask("host-packages", "changes the machine's packages");
  return null;
};

export const packageManagers: Readonly<Record<string, ProgramRule>> = {
  npm: node,
  pnpm: node,
  yarn: node,
  bun: node,
  npx,
  pnpx: npx,
  bunx: npx,
  uvx: npx,
  pipx: npx,
  corepack: node,
  uv,
  deno,
  pip: installer(/^(?:list|show|freeze|check|help|debug)$/),
  gem: installer(/^(?:list|environment|which|contents|specification)$/, /^(?:push|yank|owner)$/),
  composer: installer(/^(?:show|validate|licenses|check-platform-reqs)$/),
  nuget: installer(/^(?:locals|list)$/, /^(?:push|delete)$/),
  lerna: installer(/^(?:ls|list|changed|diff)$/, /^publish$/),
  changeset: installer(/^status$/, /^publish$/),
  "semantic-release": release,
  "release-it": release,
  np: release,
  twine: installer(/^check$/, /^upload$/),
  flit: installer(/^$/, /^publish$/),
  goreleaser: installer(/^(?:check|healthcheck)$/, /^(?:release|publish)$/),
  vsce: installer(/^(?:ls|show)$/, /^(?:publish|unpublish)$/),
  ovsx: installer(/^(?:get)$/, /^publish$/),
  jsr: installer(/^$/, /^publish$/),
  dart: installer(/^(?:analyze|test|info)$/, /^pub publish$/),
  flutter: installer(/^(?:analyze|test|doctor)$/, /^pub publish$/),
  pod: installer(/^(?:list|outdated)$/, /^trunk$/),
  apt: host,
  "apt-get": host,
  aptitude: host,
  dpkg: host,
  yum: host,
  dnf: host,
  rpm: host,
  pacman: host,
  apk: host,
  zypper: host,
  brew: host,
  port: host,
  snap: host,
  flatpak: host,
  choco: host,
  winget: host,
  scoop: host,
  nix: host,
  "nix-env": host,
  nvm: host,
  rustup: host,
};
