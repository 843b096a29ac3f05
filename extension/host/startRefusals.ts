// Why a run does not begin or go on, in words that say what to do about it.
import type { StartRefusal } from "./runs";

export function refuse(code: StartRefusal["code"], message: string): StartRefusal {
  return { ok: false, code, message };
}

export const restricted = refuse(
  "restricted",
  "this folder is in Restricted Mode, where nothing runs: trust it first, if you do",
);

export const failed = (error: unknown): StartRefusal => refuse("journal", toText(error));
export const toText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
export const shorten = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`);
