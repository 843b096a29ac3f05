import { foldText, foldedValues } from "./foldText";
import { isEnvironmentWord, namesProd } from "./prodMarkers";
import type { GuardedCall, RuleSet, Tag, Verdict } from "./verdict";

const local: ReadonlySet<Tag> = new Set<Tag>(["read", "write", "plan", "ask"]);
const judgedElsewhere: ReadonlySet<string> = new Set(["run_command", "run_tests"]);

const needsPerson: Verdict = { decision: "ask", rule: "prod", reason: "prod needs human approval", level: "prod" };

/**
 * A call that reaches beyond the workspace and names production waits for a person, whatever its tool is called.
 * Built-in file and plan tools are left alone: a document may speak of production. Commands have their own gate.
 */
export function createProdLevel(options: { patterns: readonly string[] }): RuleSet {
  return {
    id: "prod",
    verdicts: (call) => {
      if (call.tags.includes("prod")) return [needsPerson];
      return reachesOut(call) && argumentsNameProd(call.args, options.patterns) ? [needsPerson] : [];
    },
  };
}

function reachesOut(call: GuardedCall): boolean {
  const onlyLocal = call.tags.length > 0 && call.tags.every((tag) => local.has(tag));
  return !onlyLocal && !judgedElsewhere.has(call.tool);
}

function argumentsNameProd(args: GuardedCall["args"], patterns: readonly string[]): boolean {
  return Object.entries(args).some(([name, value]) => {
    const values = foldedValues(value);
    if (values.some((each) => isEnvironmentWord(each) || namesProd(each, patterns))) return true;
    // A switch: `{ production: true }`.
    return isEnvironmentWord(foldText(name)) && values.some((each) => !switchedOff.has(each));
  });
}

const switchedOff: ReadonlySet<string> = new Set(["", "0", "false", "no", "off", "none"]);
