// Building, testing and checking the workspace: the ordinary work that runs without a click, and the options that end that.
import type { Bench, Call, ProgramRule } from "../bench";
import { hasOption, optionValue, parseOptions, type OptionSpec } from "../options";
import { isKnown, type Word } from "../word";

interface BuilderSpec extends OptionSpec {
  /** Verbs that only work on the workspace; absent: it has no verbs. */
  verbs?: RegExp;
  /** Options that download, change sources, load other code or another configuration: they ask. */
  asks?: readonly string[];
  /** Without one of these it may reach the network. */
  needs?: readonly string[];
  /** Options that rewrite approved snapshots. */
  updates?: readonly string[];
  /** Options whose value is a file or folder that is written. */
  writes?: readonly string[];
  /** Needed with one of the verbs, else it changes sources. */
  onlyWith?: readonly string[];
  /** Operands are files that are read. */
  reads?: true;
}

export function builder(spec: BuilderSpec): ProgramRule {
  return (call, bench) => {
    const parsed = parseOptions(call.args, {
      ...spec,
      short: (spec.short ?? "") + shortOf(spec.writes),
      long: [...(spec.long ?? []), ...(spec.writes ?? [])],
    });
    const { operands } = parsed;
    if (spec.verbs !== undefined && !(operands[0] !== undefined && spec.verbs.test(operands[0].text))) {
      bench.ask("unknown", `${call.program} ${operands[0]?.text ?? ""} does more than work on this folder`);
    }
    if (parsed.unclear) bench.ask("unknown-target", "an argument is only known at run time");
    judgeUpdates(spec.updates, call, bench);
    for (const name of spec.asks ?? [])
      if (hasOption(parsed, name)) bench.ask("option", `${call.program} ${name} changes what runs or what is changed`);
    if (spec.needs !== undefined && !hasOption(parsed, ...spec.needs))
      bench.ask("network", `${call.program} may download`);
    if (spec.onlyWith !== undefined && !hasOption(parsed, ...spec.onlyWith))
      bench.ask("many-files", `${call.program} changes files`);
    for (const name of spec.writes ?? []) touchValue(optionValue(parsed, name), bench);
    for (const word of spec.verbs === undefined ? operands : operands.slice(1)) judgeOperand(word, bench);
    return null;
  };
}

function shortOf(names: readonly string[] = []): string {
  return names
    .filter((name) => /^-\w$/.test(name))
    .map((name) => name.slice(1))
    .join("");
}

function touchValue(word: Word | null, bench: Bench): void {
  if (word !== null) bench.touch(word, "write");
}

/** A file, a pattern or a name of a test: only what leads outside matters. */
function judgeOperand(word: Word, bench: Bench): void {
  if (/^[\w@-]+$/.test(word.text) || word.text.includes("://")) return;
  if (isKnown(word) || word.glob) bench.touch({ ...word, text: word.text.replace(/::.*$|\.\.\.$/, "") || "." }, "list");
  else bench.ask("unknown-target", "an argument is only known at run time");
}

function judgeUpdates(updates: readonly string[] | undefined, call: Call, bench: Bench): void {
  const texts = call.args.map((word) => word.text);
  if (
    updates?.some((name) =>
      texts.some((text) => text === name || text.startsWith(`${name}=`) || isInCluster(text, name)),
    ) !== true
  )
    return;
  bench.deny("rewrites-snapshots", "rewrites approved snapshots, which belong to the contract");
}

function isInCluster(text: string, name: string): boolean {
  return /^-[a-zA-Z]$/.test(name) && /^-[a-zA-Z]{2,3}$/.test(text) && text.includes(name.slice(1));
}

const jest = builder({
  short: "ctw",
  long: [
    "--testNamePattern",
    "--testPathPattern",
    "--testPathPatterns",
    "--maxWorkers",
    "--reporters",
    "--selectProjects",
    "--shard",
    "--testTimeout",
  ],
  updates: ["-u", "--updateSnapshot"],
  asks: [
    "-c",
    "--config",
    "--rootDir",
    "--setupFiles",
    "--globalSetup",
    "--testEnvironment",
    "--runner",
    "--resolver",
    "--transform",
    "--watch",
    "--watchAll",
    "--clearCache",
  ],
  writes: ["--outputFile", "--coverageDirectory", "--cacheDirectory"],
});
const vitest = builder({
  short: "ctr",
  long: ["--reporter", "--testNamePattern", "--project", "--shard", "--pool", "--testTimeout"],
  updates: ["-u", "--update"],
  asks: ["-c", "--config", "-r", "--root", "--dir", "--globalSetup", "--environment", "--watch", "-w", "--ui", "--api"],
  writes: ["--outputFile"],
});
const pytest = builder({
  short: "kmnpcorWx",
  long: [
    "--tb",
    "--maxfail",
    "--durations",
    "--cov",
    "--cov-report",
    "--cov-config",
    "--timeout",
    "--junitxml",
    "--basetemp",
    "--rootdir",
    "--confcutdir",
    "--override-ini",
    "--ignore",
    "--deselect",
    "--import-mode",
    "--log-level",
  ],
  updates: [
    "--snapshot-update",
    "--update-snapshots",
    "--inline-snapshot",
    "--force-regen",
    "--regen-all",
    "--update-goldens",
  ],
  asks: [
    "-p",
    "-c",
    "-o",
    "--config-file",
    "--override-ini",
    "--rootdir",
    "--confcutdir",
    "--noconftest",
    "--pdb",
    "--pastebin",
    "--pyargs",
  ],
  writes: ["--junitxml", "--basetemp", "--report-log", "--resultlog"],
});
const mocha = builder({
  short: "rgtRu",
  long: ["--grep", "--timeout", "--reporter"],
  updates: ["--update", "--updateSnapshot", "--update-snapshots"],
  asks: ["-r", "--require", "--config", "--package", "--opts", "--import", "--loader", "--watch", "-w"],
});
const plainTests = builder({
  updates: ["--update-snapshots", "--update", "-u", "--updateSnapshot", "--bless"],
  asks: ["--config", "-c", "-r", "--require", "--watch", "--ui", "--debug"],
});

const goVerbs = /^(?:test|build|vet|list|doc|version|fmt|env)$/;
const go: ProgramRule = (call, bench) => {
  const [verb] = call.args;
  const parsed = parseOptions(call.args.slice(1), {
    singleDash: true,
    long: [
      "-run",
      "-o",
      "-tags",
      "-timeout",
      "-count",
      "-exec",
      "-toolexec",
      "-C",
      "-coverprofile",
      "-cpuprofile",
      "-memprofile",
      "-p",
      "-parallel",
      "-bench",
      "-benchtime",
      "-mod",
      "-modfile",
      "-ldflags",
      "-gcflags",
      "-overlay",
      "-outputdir",
      "-vettool",
      "-f",
    ],
  });
  if (verb === undefined || !goVerbs.test(verb.text))
    bench.ask("unknown", `go ${verb?.text ?? ""} does more than build or test`);
  judgeUpdates(["-update", "-update-golden", "--update", "-golden.update", "-test.update"], call, bench);
  for (const { name, value } of parsed.options) {
    if (/^-{1,2}(?:exec|toolexec|overlay|modfile|vettool|w|ldflags|gcflags)$/.test(name))
      bench.ask("option", `go ${name} changes what runs`);
    if (/^-{1,2}(?:o|coverprofile|cpuprofile|memprofile|outputdir|trace)$/.test(name)) touchValue(value, bench);
    if (/^-{1,2}C$/.test(name) && value !== null) bench.touch(value, "list");
  }
  if (verb?.text === "fmt") bench.ask("many-files", "go fmt rewrites sources");
  if (verb?.text === "env" && call.args.some((word) => /^-[wu]$/.test(word.text)))
    bench.ask("option", "changes settings of go");
  for (const word of parsed.operands) judgeOperand(word, bench);
  return null;
};

const cargo: ProgramRule = (call, bench) => {
  const args = call.args.filter((word) => !word.text.startsWith("+"));
  if (args.length < call.args.length) bench.ask("option", "another toolchain may be downloaded");
  const parsed = parseOptions(args, {
    short: "pjZF",
    long: [
      "--package",
      "--manifest-path",
      "--target-dir",
      "--features",
      "--config",
      "--bin",
      "--test",
      "--example",
      "--target",
      "--profile",
      "--jobs",
      "--message-format",
      "--color",
      "--exclude",
    ],
  });
  const [verb] = parsed.operands;
  const name = verb?.text ?? "";
  const own =
    /^(?:build|b|test|t|check|c|clippy|doc|d|bench|metadata|tree|version|nextest|verify-project|locate-project|pkgid|read-manifest)$/;
  const checksFormat = name === "fmt" && args.some((word) => word.text === "--check");
  if (!own.test(name) && !checksFormat) bench.ask("unknown", `cargo ${name} does more than build or test`);
  if (hasOption(parsed, "--fix", "--config", "-Z", "--open"))
    bench.ask("option", "this option changes what runs or the sources");
  if (/^(?:publish|yank|owner)$/.test(name))
    bench.ask(
      "publishes",
      "a public release, which cannot be taken back",
      hasOption(parsed, "--dry-run", "-n") ? "normal" : "prod",
    );
  if (name === "login") bench.ask("credentials", "stores a credential");
  if (name === "insta" && parsed.operands.some((word) => /^(?:accept|review)$/.test(word.text)))
    bench.deny("rewrites-snapshots", "rewrites approved snapshots, which belong to the contract");
  const manifest = optionValue(parsed, "--manifest-path");
  if (manifest !== null) bench.touch(manifest, "read");
  touchValue(optionValue(parsed, "--target-dir"), bench);
  return null;
};

/** Targets that stay inside by their usual meaning; others reach outside or delete. */
const ownTarget =
  /^(?:test|tests|check|lint|build|compile|typecheck|unit|unit-test|test-unit|coverage|verify|fmt-check|format-check)$/;

const make: ProgramRule = (call, bench) => {
  const parsed = parseOptions(call.args, {
    short: "fCIjlOoW",
    long: ["--file", "--makefile", "--directory", "--jobs", "--eval", "--include-dir", "--old-file", "--what-if"],
  });
  const file = optionValue(parsed, "-f", "--file", "--makefile");
  if (file !== null) {
    bench.ask("other-makefile", "another makefile than the frozen one");
    bench.touch(file, "read");
  }
  if (hasOption(parsed, "--eval", "-I", "--include-dir", "-e", "--environment-overrides"))
    bench.ask("option", "changes what the makefile says");
  const folder = optionValue(parsed, "-C", "--directory");
  if (folder !== null) {
    bench.touch(folder, "list");
    if (!/^\.\/?$/.test(folder.text)) bench.ask("other-makefile", "another makefile than the frozen one");
  }
  const targets = parsed.operands.filter((word) => !word.text.includes("="));
  if (targets.length < parsed.operands.length) bench.ask("option", "a variable of the makefile is set from outside");
  if (targets.length === 0) bench.ask("unknown", "what the first target does is not known");
  for (const word of targets) {
    if (!isKnown(word)) bench.ask("unknown-target", "the target is only known at run time");
    else if (/deploy|publish|release|prod/i.test(word.text))
      bench.ask("unknown", `the target ${word.text} reaches outside`);
    else if (!ownTarget.test(word.text)) bench.ask("unknown", `the target ${word.text} is not part of the frozen plan`);
  }
  return null;
};

const linterAsks = [
  "--fix",
  "--fix-type",
  "--write",
  "-w",
  "--init",
  "--rulesdir",
  "--plugin",
  "--resolve-plugins-relative-to",
  "--apply",
  "--apply-unsafe",
  "--unsafe",
];

const eslint = builder({
  short: "cfo",
  long: [
    "--max-warnings",
    "--ext",
    "--format",
    "--cache-location",
    "--rule",
    "--ignore-pattern",
    "--config",
    "--parser",
  ],
  asks: [...linterAsks, "-c", "--config", "--parser", "--fix-dry-run"],
  writes: ["-o", "--output-file", "--cache-location"],
});
const tsc = builder({
  short: "p",
  long: ["--project", "--target", "--module", "--lib", "--jsx", "--moduleResolution"],
  asks: ["--init", "-w", "--watch"],
  writes: ["--outDir", "--outFile", "--declarationDir", "--tsBuildInfoFile"],
});
const checker = builder({
  short: "cp",
  long: ["--config", "--config-file", "--project"],
  asks: [...linterAsks, "--install-types", "--config", "-c"],
});
const formatter = (check: readonly string[], extra: BuilderSpec = {}): ProgramRule =>
  builder({ ...extra, onlyWith: check });

const ruff: ProgramRule = (call, bench) => {
  const [verb] = call.args;
  if (verb?.text === "format") return builder({ verbs: /^format$/, onlyWith: ["--check", "--diff"] })(call, bench);
  return builder({
    verbs: /^(?:check|rule|linter|version|\.|[\w/.-]+)$/,
    short: "e",
    asks: [...linterAsks, "--fix-only", "--add-noqa", "--config"],
  })(call, bench);
};

const biome: ProgramRule = (call, bench) => {
  const checks = builder({ verbs: /^(?:check|lint|ci|format|version)$/, asks: [...linterAsks, "--config-path"] });
  return checks(call, bench);
};

const jvm = (spec: BuilderSpec): ProgramRule => builder({ short: "fplPDTsbBI", ...spec });

export const builders: Readonly<Record<string, ProgramRule>> = {
  jest,
  vitest,
  pytest,
  "py.test": pytest,
  mocha,
  ava: plainTests,
  tap: plainTests,
  unittest: builder({ short: "kps" }),
  nose2: plainTests,
  rspec: builder({
    short: "erIfo",
    long: ["--format", "--example", "--require"],
    asks: ["-r", "--require", "-I", "-O", "--options"],
    writes: ["-o", "--out"],
  }),
  phpunit: builder({
    short: "cd",
    long: ["--filter", "--testsuite"],
    asks: ["-c", "--configuration", "--bootstrap", "-d"],
    updates: ["--update-snapshots", "-d=update-snapshots"],
  }),
  ctest: builder({ short: "RELjS", asks: ["-S", "-D"] }),
  bats: builder({ short: "fj" }),
  "node-test": builder({
    asks: ["--require", "-r", "--import", "--loader", "--experimental-loader", "--watch"],
    updates: ["--test-update-snapshots"],
  }),
  playwright: builder({
    verbs: /^test$/,
    short: "gcju",
    updates: ["-u", "--update-snapshots"],
    asks: ["-c", "--config", "--ui", "--debug"],
  }),
  cypress: builder({ verbs: /^(?:run|verify|version)$/, asks: ["--config", "-c", "--config-file", "-C", "--record"] }),
  tox: builder({ needs: ["--offline-never"] }),
  nox: builder({ needs: ["--no-venv", "--no-install"] }),
  go,
  cargo,
  make,
  gmake: make,
  mvn: jvm({
    verbs: /^(?:test|compile|verify|package|test-compile|validate)$/,
    needs: ["-o", "--offline"],
    asks: ["-f", "--file", "-s", "--settings", "-D", "-gs"],
  }),
  gradle: jvm({
    verbs: /^(?::?[\w-]+:)*(?:test|build|check|compile\w*|assemble|tasks|dependencies|lint)$/,
    needs: ["--offline"],
    asks: ["-I", "--init-script", "-b", "--build-file", "-p", "--include-build", "-P"],
  }),
  dotnet: builder({
    verbs: /^(?:test|build)$/,
    needs: ["--no-restore"],
    asks: ["--settings", "-s"],
    writes: ["-o", "--output"],
  }),
  mix: builder({ verbs: /^(?:test|compile|format)$/, onlyWith: [] }),
  swift: builder({ verbs: /^(?:test|build)$/ }),
  eslint,
  stylelint: eslint,
  oxlint: eslint,
  tsc,
  "vue-tsc": tsc,
  "svelte-check": tsc,
  tsd: tsc,
  mypy: checker,
  pyright: checker,
  basedpyright: checker,
  flake8: checker,
  pylint: builder({ asks: ["--load-plugins", "--init-hook", "--rcfile"] }),
  pyflakes: checker,
  pycodestyle: checker,
  pydocstyle: checker,
  bandit: checker,
  vulture: checker,
  radon: checker,
  shellcheck: checker,
  hadolint: checker,
  yamllint: checker,
  markdownlint: checker,
  "markdownlint-cli2": checker,
  actionlint: builder({ asks: ["-shellcheck", "-pyflakes"] }),
  "golangci-lint": builder({ verbs: /^(?:run|linters|version)$/, asks: linterAsks }),
  staticcheck: checker,
  phpstan: builder({ verbs: /^analy[sz]e$/ }),
  psalm: builder({ asks: ["--alter"] }),
  rubocop: builder({
    asks: ["-a", "-A", "--autocorrect", "--autocorrect-all", "--auto-correct", "-r", "--require", "-x", "--fix-layout"],
  }),
  ruff,
  biome,
  prettier: formatter(["-c", "--check", "-l", "--list-different"], { asks: ["--plugin", "--config", "-w", "--write"] }),
  black: formatter(["--check", "--diff"]),
  isort: formatter(["-c", "--check", "--check-only", "--diff"]),
  rustfmt: formatter(["--check"]),
  gofmt: builder({ asks: ["-w"] }),
  goimports: builder({ asks: ["-w"] }),
  rustc: builder({ asks: ["-C"], writes: ["-o", "--out-dir"] }),
  coverage: builder({ verbs: /^(?:report|json|xml|html)$/ }),
  tflint: builder({ asks: ["--fix", "--init", "--chdir"] }),
};
