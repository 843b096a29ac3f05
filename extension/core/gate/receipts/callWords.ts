// What a call says in its own words: the tool's name, the arguments, the environment it reaches.
import { environmentWords, harmlessCommand, insideTools, type OutsideAction } from "./actionGrammar";
import { mayHaveHappened, type Args, type LedgerCall } from "./ledgerView";

/** Strings and numbers in the arguments, lower case; a command counts word by word. */
export function argumentValues(call: { args: Args | null }): readonly string[] {
  const leaves = (value: unknown): string[] => {
    if (typeof value === "string") return [value.toLowerCase()];
    if (typeof value === "number") return [String(value)];
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
  };
  const { command, ...rest } = call.args ?? {};
  const words = leaves(command).flatMap((text) => text.split(/[\s"'=]+/));
  return [...leaves(rest), ...words].filter((value) => value !== "" && !value.startsWith("-"));
}

export function toolWords(tool: string): readonly string[] {
  return tool
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** The call's own words: the tool's name, and the command without its quoted parts. */
export function callWords(call: { tool: string; args: Args | null }): string {
  const command = call.args?.["command"];
  const words = typeof command === "string" ? command.replace(/"[^"]*"|'[^']*'/g, " ") : "";
  return `${toolWords(call.tool).join(" ")} : ${words}`;
}

/** Argument values the text names. A bare short number is too common a word: it has to be written `#4`. */
export function mentionedValues(text: string, call: { args: Args | null }): readonly string[] {
  const lower = text.toLowerCase();
  return argumentValues(call).filter((value) => {
    const word = /^\d{1,6}$/.test(value) ? `#${value}` : value;
    if (word.length < 2) return false;
    const at = lower.indexOf(word);
    return at >= 0 && !/[\w]/.test(lower.charAt(at - 1)) && !/[\w]/.test(lower.charAt(at + word.length));
  });
}

/** Could this call have done it, whether or not its name says so? */
export function mayDo(action: OutsideAction, call: LedgerCall): boolean {
  if (!mayHaveHappened(call)) return false;
  if (action.does.test(callWords(call))) return true;
  const command = call.args?.["command"];
  if (call.tool === "run_command") return typeof command !== "string" || !harmlessCommand.test(command);
  return !insideTools.has(call.tool);
}

const environmentNames: Readonly<Record<string, string>> = { production: "prod", stage: "staging", development: "dev" };
const environment = new RegExp(`\\b(?:${environmentWords})\\b`, "gi");
const leftOut = new RegExp(
  `\\b(?:not|instead of|rather than|except|without|before)\\s+(?:(?:to|on|in|the|for)\\s+)*(?:${environmentWords})\\b`,
  "gi",
);

export function environmentsIn(text: string): ReadonlySet<string> {
  const words = text.replace(leftOut, " ").match(environment) ?? [];
  return new Set(words.map((word) => environmentNames[word.toLowerCase()] ?? word.toLowerCase()));
}

export function environmentsOf(call: { args: Args | null }): ReadonlySet<string> {
  return environmentsIn(argumentValues(call).join(" "));
}
