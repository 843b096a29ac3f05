// A push is an ask; to a shared branch, or where it overwrites what others have, it is production.
import type { Bench } from "../bench";
import { hasOption, optionValue, parseOptions } from "../options";
import { isKnown, type Word } from "../word";

const shared =
  /^(?:main|master|trunk|develop|prod(?:uction)?|stable|live|release|releases|gh-pages|(?:release|releases|hotfix|prod)[/-].*)$/i;

export function judgePush(args: readonly Word[], bench: Bench): void {
  const parsed = parseOptions(args, {
    short: "o",
    long: ["--repo", "--receive-pack", "--exec", "--push-option", "--signed"],
  });
  if (optionValue(parsed, "--receive-pack", "--exec") !== null) bench.ask("option", "runs a program on the other side");
  const isRehearsal = hasOption(parsed, "-n", "--dry-run");
  const [, ...refs] = parsed.operands;
  const targets = refs.map(targetOf);
  const forces =
    hasOption(parsed, "-f", "--force", "--force-with-lease", "--force-if-includes") ||
    refs.some((word) => word.text.startsWith("+"));
  const everything = hasOption(parsed, "--all", "--mirror", "--branches", "--prune");
  const reachesShared =
    targets.some((target) => shared.test(target)) ||
    everything ||
    refs.some((word) => !isKnown(word) && !word.text.includes("/"));
  const guessed = forces && (refs.length === 0 || targets.some((target) => target === "HEAD" || target === "@"));
  if (!isRehearsal && (reachesShared || guessed)) {
    bench.ask("push-shared", forces ? "overwrites a shared branch" : "changes a shared branch", "prod");
  } else bench.ask("network", "pushes to another machine");
  if (parsed.operands.some((word) => /^(?:heroku|dokku|production|prod|live)$/.test(word.text)))
    bench.ask("push-shared", "deploys by pushing", "prod");
}

function targetOf(word: Word): string {
  const text = word.text.replace(/^\+/, "");
  const target = text.includes(":") ? text.slice(text.lastIndexOf(":") + 1) : text;
  return target.replace(/^refs\/heads\//, "");
}
