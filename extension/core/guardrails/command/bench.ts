// What a rule about one program gets and may do.
import type { Level, PathUse, Verdict } from "../verdict";
import type { Scope } from "./scope";
import type { Output, Word } from "./word";

export interface Assignment {
  name: string;
  value: Word;
}

/** One program about to be started, its wrappers already taken off. */
export interface Call {
  /** Base name in lower case, without version or `.exe`. */
  program: string;
  args: readonly Word[];
  /** Variables set for this program only. */
  env: readonly Assignment[];
  stdin: Output | null;
  scope: Scope;
  /** The words as written, for people. */
  source: string;
}

/** How a payload differs from the call that holds it. */
export interface PayloadChange {
  /** It runs on another machine or in a container. */
  remote?: true;
  /** It starts in this folder. */
  folder?: Word;
  env?: readonly Assignment[];
  stdin?: Output | null;
  /** It runs in the same shell: `cd` and assignments stay. */
  sameShell?: true;
}

export interface Bench {
  readonly home: string;
  /** The workspace, absolute. */
  readonly root: string;
  ask(rule: string, reason: string, level?: Level): void;
  deny(rule: string, reason: string): void;
  add(verdict: Verdict): void;
  /** Runs a further judgement and keeps of it only denials and asks of level prod. */
  addWorse(judge: () => void): void;
  /** A word that names a file or folder; `tree`: everything below it too. */
  touch(word: Word, use: PathUse["use"], how?: { tree?: boolean }): void;
  /** Text that may name anything: only what must never be named is looked for. */
  mention(text: string): void;
  /** A word of a program nobody knows: what may never be touched is denied, as if it were written to. */
  touchUnknown(word: Word): void;
  /** A word that may be a file and is only read. */
  mentionRead(word: Word): void;
  /** A file that usually holds secrets, or a store of credentials. */
  isSecret(word: Word): boolean;
  /** It may print any file of the repository. */
  mayShowRepository(): void;
  runWords(words: readonly Word[], change?: PayloadChange): Output;
  runScript(text: string, change?: PayloadChange): Output;
  /** Text that may be a command: only its denials count. */
  tryScript(text: string): void;
  /** Whether the workspace has a file or folder of this name, from the command's own folder. */
  exists(path: string): boolean;
}

/** Null: it writes nothing that is known. */
export type ProgramRule = (call: Call, bench: Bench) => Output | null;
