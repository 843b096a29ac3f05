// What is known about runners: one file each in `runners/`, one row each here.
// What a runner prints can only take a pass away: no row ever makes one.
import { cargo, nextest } from "./runners/cargo";
import { dotnet } from "./runners/dotnet";
import { go } from "./runners/go";
import { jest } from "./runners/jest";
import { gradle, maven } from "./runners/jvm";
import { mocha } from "./runners/mocha";
import { nodeTest } from "./runners/nodeTest";
import { ava, bun, deno, linters, make, mix, tox } from "./runners/otherRunners";
import { packageScript } from "./runners/packageScript";
import { phpunit } from "./runners/phpunit";
import { pytest } from "./runners/pytest";
import { rake, rspec } from "./runners/ruby";
import type { RunnerRule } from "./runners/runnerRule";
import { unittest } from "./runners/unittest";
import { vitest } from "./runners/vitest";

export const runnerRules: readonly RunnerRule[] = [
  packageScript,
  nodeTest,
  vitest,
  jest,
  mocha,
  ava,
  bun,
  deno,
  pytest,
  unittest,
  tox,
  cargo,
  nextest,
  go,
  maven,
  gradle,
  dotnet,
  rspec,
  rake,
  phpunit,
  mix,
  make,
  ...linters,
];

/** The rules for the runners that take part in these simple commands. */
export function rulesFor(commands: readonly (readonly string[])[]): RunnerRule[] {
  return runnerRules.filter((rule) =>
    rule.words.some((wanted) => commands.some((words) => holdsInOrder(words, wanted))),
  );
}

function holdsInOrder(words: readonly string[], wanted: readonly string[]): boolean {
  let next = 0;
  for (const word of words) if (toProgramName(word) === wanted[next]) next += 1;
  return next === wanted.length;
}

/** A program's name without its folder and the endings of Windows. */
export function toProgramName(word: string): string {
  return word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1).replace(/\.(?:exe|cmd|bat|ps1)$/i, "");
}
