// What would become of a command, as a person reads it: the verdict first, then each part with its reason.
import type { CommandExplanation, ExplainedVerdict } from "../../core/agents/explainCommand";
import { escapeText } from "../../core/escapeText";
import type { Translate } from "../projections/translate";
import { wrapLine } from "../wrapLine";

export interface Explained {
  command: string;
  explained: CommandExplanation;
  /** Absolute path of the folder. */
  folder: string;
  /** The donegate.yaml that was counted as accepted; null when there is none. */
  config: string | null;
}

export function renderExplanation({ command, explained, folder, config }: Explained, t: Translate): string {
  const counted = config === null ? t("There is no donegate.yaml.") : t("{0} counts as accepted.", config);
  return [
    toHeadline(explained, t),
    "",
    ...tell(t("Reason"), explained.reason),
    ...tell(t("Rule"), explained.rule),
    ...tell(t("Folder"), folder),
    "",
    t("The command, in full:"),
    ...command.split("\n").flatMap((line, at) => wrapLine(escapeText(line), `${toNumber(at)} | `, "     ↳ ")),
    "",
    ...renderParts(explained, t),
    "",
    ...wrapLine(escapeText(`${t("Nothing was run.")} ${counted}`), "", "", "words"),
    "",
  ].join("\n");
}

const toNumber = (at: number): string => String(at + 1).padStart(4);

function toHeadline({ verdict, level }: ExplainedVerdict, t: Translate): string {
  if (verdict === "allow") return t("Allowed: an agent may run this without a question.");
  if (verdict === "deny") return t("Denied: an agent may not run this, and no approval lifts that.");
  const levels = {
    normal: t("Asks, at level normal: a person's answer or a rule that allows it lets it run."),
    guarded: t("Asks, at level guarded: only a person's answer to that one call lets it run."),
    prod: t("Asks, at level prod: only a person's answer to that one call lets it run."),
  };
  return levels[level ?? "normal"];
}

function renderParts({ parts }: CommandExplanation, t: Translate): readonly string[] {
  if (parts.length === 0) return [t("No command was found in it.")];
  const lines = parts.flatMap((part) => [
    ...wrapLine(escapeText(part.text), `${part.decided ? ">" : " "} ${toWord(part, t).padEnd(12)} `, " ".repeat(15)),
    ...(part.reason === ""
      ? []
      : wrapLine(escapeText(`${part.reason} [${part.rule}]`), " ".repeat(15), " ".repeat(15), "words")),
  ]);
  return [t("The commands in it; > marks the one that decided:"), ...lines];
}

function toWord({ verdict, level }: ExplainedVerdict, t: Translate): string {
  if (verdict === "allow") return t("allow");
  if (verdict === "deny") return t("deny");
  return level === null || level === "normal" ? t("ask") : `${t("ask")} ${level}`;
}

function tell(name: string, text: string): readonly string[] {
  return text === "" ? [] : wrapLine(escapeText(text), `${name.padEnd(8)}`, " ".repeat(8), "words");
}
