// Which runner a simple command starts, looked for where programs stand and nowhere else: `pip install pytest` starts none.
import { runnerRules, toProgramName } from "../runnerRules";
import type { RunnerRule } from "./runnerRule";

export interface StartedRunner {
  rule: RunnerRule;
  /** The command from the runner's name on. */
  words: readonly string[];
}

/** The runner that tells what it ran, when this simple command starts one. */
export function startedRunner(command: readonly string[]): StartedRunner | null {
  const words = withoutWrappers(command);
  const rule = runnerRules.find(
    (candidate) => candidate.reporting !== undefined && candidate.words.some((wanted) => startsWith(words, wanted)),
  );
  return rule === undefined ? null : { rule, words };
}

/** The program first, its subcommand anywhere among what follows: flags may stand between. */
function startsWith(words: readonly string[], wanted: readonly string[]): boolean {
  const [program, ...rest] = wanted;
  const names = words.map(toProgramName);
  if (names[0] !== program && !(program === "-m" && words[0] === "-m")) return false;
  return rest.every((word) => names.slice(1).includes(word));
}

/** Programs that start the program they are given: how many of their own words come first. */
const wrappers: Readonly<Record<string, readonly string[]>> = {
  env: [],
  "cross-env": [],
  npx: [],
  bunx: [],
  pnpx: [],
  time: [],
  nice: [],
  "xvfb-run": [],
  c8: [],
  nyc: [],
  dotenv: [],
  pnpm: ["exec", "dlx"],
  yarn: ["exec", "run", "dlx"],
  npm: ["exec", "x"],
  uv: ["run"],
  poetry: ["run"],
  pdm: ["run"],
  pipenv: ["run"],
  hatch: ["run"],
  rye: ["run"],
  bundle: ["exec"],
  coverage: ["run"],
};

const valueFlags = new Set(
  "--with --extra --group --python -p --project --directory --env-file --package -c --call -n -e -f".split(" "),
);

function withoutWrappers(command: readonly string[]): readonly string[] {
  let words = command;
  for (let depth = 0; depth < 8; depth += 1) {
    const inner = unwrapOnce(words);
    if (inner === null) return words;
    words = inner;
  }
  return words;
}

function unwrapOnce(words: readonly string[]): readonly string[] | null {
  const [first, ...rest] = words;
  if (first === undefined) return null;
  if (/^[A-Za-z_]\w*=/.test(first)) return rest;
  const name = toProgramName(first);
  if (/^(?:python[\d.]*|pypy3?|py)$/.test(name)) return afterPython(rest);
  if (/^(?:node|nodejs)$/.test(name)) return afterNode(rest);
  if (name === "php") return rest.length > 0 && !rest[0]?.startsWith("-") ? rest : null;
  if (name === "timeout") return afterFlags(rest).slice(1);
  const own = wrappers[name];
  if (own === undefined) return null;
  const inner = afterFlags(rest);
  if (own.length === 0) return inner;
  if (own.includes(inner[0] ?? ""))
    return name === "coverage" ? afterPython(inner.slice(1)) : afterFlags(inner.slice(1));
  // pnpm and yarn start a program by its bare name where no script has that name.
  return name === "pnpm" || name === "yarn" ? inner : null;
}

function afterFlags(words: readonly string[]): readonly string[] {
  let at = 0;
  while (words[at]?.startsWith("-") === true) {
    const flag = words[at] ?? "";
    at += valueFlags.has(flag) ? 2 : 1;
    if (flag === "--") break;
  }
  return words.slice(at);
}

/** `python -m pytest` is pytest; `python -m unittest` stays as it is, since it is asked in another way. */
function afterPython(words: readonly string[]): readonly string[] | null {
  const at = words.indexOf("-m");
  if (at < 0 || words.slice(0, at).some((word) => !/^-[A-Za-z]/.test(word))) return null;
  return words[at + 1] === "unittest" ? words.slice(at) : words.slice(at + 1);
}

/** `node node_modules/mocha/bin/mocha.js` starts mocha. `node --test` is a runner itself. */
function afterNode(words: readonly string[]): readonly string[] | null {
  const script = words.find((word) => !word.startsWith("-"));
  if (words.includes("--test") || script === undefined) return null;
  const program = /(?:^|\/)(vitest|mocha|jest)\/(?:vitest\.mjs|bin\/_?(?:mocha|jest)(?:\.js)?)$/.exec(script)?.[1];
  return program === undefined ? null : [program, ...words.slice(words.indexOf(script) + 1)];
}
