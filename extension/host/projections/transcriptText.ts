// Texts for the transcript: bounded, and with every character written out that would hide or turn what a person reads.
import { escapeText } from "../../core/escapeText";
import type { Args } from "../../core/journal/event";
import type { CutText } from "../../protocol/transcriptEntry";

/** Prose keeps the joiners that emoji and many scripts need. */
const turning = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const writeOut = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** For calls, names and commands: what is shown is what it is. Line ends and tabs stay. */
export function showExact(text: string): string {
  return text.replace(/[^\n\t]+/g, escapeText);
}

export function showProse(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(turning, writeOut);
}

/** On one line, at most `most` characters. */
export function showLine(text: string, most: number): string {
  const line = text.trim().replace(/\s*\n\s*/g, " ");
  return showExact(line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`);
}

/** At most `most` characters from the start; a cut never splits a pair of surrogates. */
export function cutText(text: string, most: number, show: (text: string) => string = showExact): CutText {
  if (text.length <= most) return { text: show(text), left: 0 };
  const at = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return { text: show(text.slice(0, at)), left: text.length - at };
}

/** Arguments that say by themselves what a call is about, and those that are too much for a line. */
const telling: ReadonlySet<string> = new Set(["command", "path", "query", "glob", "question", "prompt"]);
const bulky: ReadonlySet<string> = new Set(["content", "old", "new", "cwd", "timeoutMs"]);

/** A call's arguments on one line. */
export function briefArgs(args: Args, most = 160): string {
  const shown = Object.entries(args).filter(([name]) => !bulky.has(name));
  const [first, ...others] = shown;
  if (first !== undefined && others.length === 0 && telling.has(first[0]) && typeof first[1] === "string") {
    return showLine(first[1], most);
  }
  const words = shown.map(([name, value]) => `${name}=${isPlain(value) ? value : toJson(value)}`);
  return showLine(words.join(" "), most);
}

/** Every argument, one after the other; texts of several lines stand as they are. */
export function fullArgs(args: Args): string {
  return Object.entries(args)
    .map(([name, value]) => {
      if (typeof value !== "string") return `${name}: ${toJson(value)}`;
      if (!value.includes("\n")) return `${name}: ${isPlain(value) ? value : toJson(value)}`;
      const lines = value.split("\n").map((line) => `  | ${line}`);
      return `${name}:\n${lines.join("\n")}`;
    })
    .join("\n");
}

function isPlain(value: unknown): value is string {
  return typeof value === "string" && /^[\w./@:-]+$/.test(value);
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? "undefined";
}
