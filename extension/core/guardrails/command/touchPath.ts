// From a word that names a file to the verdicts on it, for every place it may mean: folders, globs, unknown pieces.
import { isAbsolutePath, isWindowsPath } from "../pathKeys";
import type { PathPolicy } from "../pathGuard";
import { ask, deny, type PathUse, type Verdict } from "../verdict";
import { fileDanger, isHarmlessDevice, isNetworkChannel, treeDanger } from "./hostPaths";
import type { Scope } from "./scope";
import { unknownPiece, type Word } from "./word";

export interface Touch {
  word: Word;
  use: PathUse["use"];
  /** Everything below it too. */
  tree: boolean;
  scope: Scope;
}

export interface TouchOptions {
  paths: PathPolicy;
  home: string;
  root: string;
}

export function judgeTouch(touch: Touch, options: TouchOptions): readonly Verdict[] {
  const { word, scope } = touch;
  if (word.text === "" || word.text === "-") return [];
  if (isNetworkChannel(word.text)) return [deny("command.network-channel", `${word.raw} opens a network connection`)];
  if (scope.remote) return judgeHost(touch, word.text, options);
  const unknownTarget = word.text.includes(unknownPiece) ? [unknown(touch)] : [];
  const folders = isRooted(word.text, options.root) ? ["."] : scope.cwds;
  if (folders === null) {
    return [
      ...unknownTarget,
      ask("command.unknown-folder", `the folder of ${word.raw} is only known at run time`, "guarded"),
    ];
  }
  const bulk =
    word.glob && changes(touch) ? [ask("command.many-files", `${word.raw} may stand for many files`, "normal")] : [];
  return [...unknownTarget, ...bulk, ...folders.flatMap((folder) => judgeIn(folder, touch, options))];
}

function changes({ use }: Touch): boolean {
  return use === "write" || use === "delete";
}

function unknown({ word, use, tree }: Touch): Verdict {
  const empty = word.text.replaceAll(unknownPiece, "");
  const emptied = tree && /^\/*\*?$/.test(empty) ? `: if it is empty, this is ${empty === "" ? "nothing" : empty}` : "";
  const what = use === "read" || use === "list" ? "reads" : "changes";
  return ask("command.unknown-target", `what ${word.raw} ${what} is only known at run time${emptied}`, "normal");
}

function judgeIn(folder: string, touch: Touch, options: TouchOptions): readonly Verdict[] {
  const path = inFolder(touch.word.text, folder, options.root);
  if (isHarmlessDevice(path)) return [];
  if (touch.use === "delete" && touch.tree && /(?:^|\/)\.git\/*$/i.test(path)) {
    return [deny("command.destroys-history", `${touch.word.raw} holds the history of the repository`)];
  }
  const host = judgeHost(touch, path, options);
  if (host.length > 0) return host;
  const reads = !changes(touch);
  const shown = reads && touch.tree && options.paths.holdsHidden(path) ? [mayShowHidden] : [];
  const below = reads && touch.tree && touch.use === "read" ? secretsIn(path, options) : [];
  const verdicts = [...candidates(path, touch, options), ...below].flatMap((each) =>
    // Whoever changes a whole tree changes what lies in it, as a deletion does.
    options.paths.judgeDeclared({
      path: each,
      use: touch.tree && changes(touch) ? "delete" : touch.use,
      surface: "shell",
    }),
  );
  const hidden = touch.scope.substituted && !reads ? [hiddenWrite] : [];
  return [...shown, ...hidden, ...verdicts];
}

const hiddenWrite = ask("command.hidden-write", "a command inside an argument changes files", "normal");

const mayShowHidden = ask("command.may-show-hidden", "this command may show a hidden folder", "normal");

/** Secret files by their usual names that a search of this folder would print from. */
function secretsIn(path: string, { paths }: TouchOptions): readonly string[] {
  const names = [".env", ".env.local", ".env.production", ".netrc"];
  return names.map((name) => (path === "." ? name : `${path}/${name}`)).filter((each) => paths.exists(each));
}

function judgeHost(touch: Touch, path: string, { home, root }: TouchOptions): readonly Verdict[] {
  if (!changes(touch)) return [];
  const place = path.replaceAll(unknownPiece, "x");
  const isAbsolute = isAbsolutePath(place, true);
  const { remote } = touch.scope;
  const absolute = isAbsolute || remote ? place : place === "." ? root : `${root}/${place}`;
  if (!isAbsolutePath(absolute, true)) return [];
  const danger = touch.tree ? treeDanger(absolute, { home, root: remote ? null : root }) : fileDanger(absolute);
  return danger === null ? [] : [deny("command.host", `${touch.word.raw}: ${danger}`)];
}

/** The names a word may come out as: for a glob, one made-up name and every name of the contract that it matches. */
function candidates(path: string, { word, use }: Touch, { paths }: TouchOptions): readonly string[] {
  const made = path.replaceAll(unknownPiece, "x");
  if (!word.glob) return [made];
  const sample = made
    .replace(/\[!?\^?([^\]])[^\]]*\]/g, "$1")
    .replace(/\*+/g, "x")
    .replace(/\?/g, "x");
  return [
    sample,
    ...(use === "list" ? [] : use === "read" ? paths.secretsMatching(made) : paths.contractMatching(made)),
  ];
}

function isRooted(text: string, root: string): boolean {
  return isAbsolutePath(text, isWindowsPath(root) || /^[A-Za-z]:[\\/]/.test(text));
}

function inFolder(text: string, folder: string, root: string): string {
  return folder === "." || isRooted(text, root) ? text : `${folder}/${text}`;
}
