import type { Approval } from "../../core/journal/runState";
import { toOneLine } from "../escapeForNotification";
import type { Translate } from "./translate";

/** Guarded and prod are approved only in the review that the person opened himself. */
export const needsReview = ({ level, kind }: Pick<Approval, "level" | "kind">): boolean =>
  level !== "normal" || kind === "cancel-items";

/** What is asked, in a few words. */
export function toRequestTitle({ kind, tool, args }: Pick<Approval, "kind" | "tool" | "args">, t: Translate): string {
  if (kind === "question") return t("The agent asks: {0}", toQuestion(args, 100));
  if (kind === "cancel-items") return t("Cancel {0} plan item(s)?", toItems(args).length);
  return `${toOneLine(tool)} ${toShortArgs(args)}`.trim();
}

export function toQuestion(args: Approval["args"], most: number): string {
  const { question } = args;
  return toOneLine(typeof question === "string" ? question : JSON.stringify(args), most);
}

/** `items` of a question about cancellations; whatever has another shape is shown as it is. */
export function toItems(args: Approval["args"]): readonly string[] {
  const { items } = args;
  if (!Array.isArray(items)) return [toOneLine(JSON.stringify(args))];
  return items.map((item: unknown) => {
    const { id, text, reason } = (typeof item === "object" && item !== null ? item : {}) as Record<string, unknown>;
    if (typeof id !== "string" || typeof text !== "string") return toOneLine(JSON.stringify(item));
    const why = typeof reason === "string" && reason !== "" ? reason : "no reason given";
    return toOneLine(`${id} ${text}: ${why}`, 400);
  });
}

/** `key=value` pairs on one line, cut to fit. */
export function toShortArgs(args: Approval["args"], most = 80): string {
  const words = Object.entries(args).map(([key, value]) => {
    const isPlain = typeof value === "string" && /^[\w./@:-]+$/.test(value);
    return `${key}=${isPlain ? value : JSON.stringify(value)}`;
  });
  return toOneLine(words.join(" "), most);
}

/** How a request ended that is no longer waiting. A request nobody answered was not refused. */
export function toEndedWord({ status, answer }: Pick<Approval, "status" | "answer">, t: Translate): string {
  const why = toOneLine(answer);
  switch (status) {
    case "pending":
      return t("it is waiting");
    case "approved":
      return t("it was approved");
    case "denied":
      return why === "" ? t("it was denied") : t("it was denied: {0}", why);
    case "answered":
      return t("it was answered");
    case "withdrawn":
      return t("it got no answer: {0}", why);
  }
}
