// May this command run? Every simple command in it is found, freed of its wrappers and judged; the worst verdict counts.
import type { ParseShell, ShellSyntax } from "../../ports/shellGrammar";
import { composeVerdicts } from "../composeVerdicts";
import { namesProd } from "../prodMarkers";
import { ask, deny, type Verdict } from "../verdict";
import type { Assignment, Bench, PayloadChange } from "./bench";
import { judgeAssignment } from "./codeVariables";
import { evaluate, type CommandSink, type Redirect, type SimpleCommand } from "./evaluate";
import { judgeFunction } from "./judgeFunction";
import { judgeProgram } from "./judgeProgram";
import { judgeTouch, type TouchOptions } from "./touchPath";
import { copyScope, createScope, joinFolder, type Scope } from "./scope";
import { doubtsOf } from "./textDoubts";
import {
  carriedBy,
  carryBoth,
  nothingCarried,
  silent,
  unknownOutput,
  unknownPiece,
  type Carried,
  type Output,
  type Word,
  literal,
} from "./word";

export interface AnalysisOptions extends TouchOptions {
  parse: ParseShell;
  prodPatterns: readonly string[];
}

/** One command of the text and what is thought of it. */
export interface Part {
  text: string;
  /** Decoded words, for rules to match. */
  words: readonly string[];
  verdict: Verdict;
}

export interface Analysis {
  /** Every ask and deny; none means that nothing speaks against the command. */
  verdicts: readonly Verdict[];
  parts: readonly Part[];
  /** Variables that the text sets, for itself or for one program. */
  assignments: readonly { name: string; value: string }[];
}

const mostParts = 400;
const deepest = 12;
const mostFragments = 60;

/** `cwd` is relative to the root or absolute. */
export function analyseCommand(text: string, cwd: string, options: AnalysisOptions): Analysis {
  const analyser = new Analyser(options);
  const scope = createScope(cwd);
  analyser.read(text, scope);
  // A line that goes on after a backslash may join two halves of a word, which the grammar keeps apart.
  if (/[^\s\\]\\\n\S/.test(text)) analyser.read(text.replace(/\\\n/g, ""), createScope(cwd));
  const verdicts = analyser.parts.map(({ verdict }) => verdict).filter((verdict) => verdict.decision !== "allow");
  return { verdicts, parts: analyser.parts, assignments: analyser.assignments };
}

/** `$((cmd) )` is no sum but a subshell, and the grammar does not always tell. */
const subshellLikeSum = /\$\(\([^()]*[A-Za-z]\w*\s+[\w./$"'-]/;

/** `{rm,-rf,/}` as a command: the grammar takes it for a group. */
const bracedCommand = /(^|[;&|(]\s*)\{([^\s{};|&]+,[^\s{};|&]*)\}/g;

/** Holds the parts found so far and how deep it is. */
class Analyser implements CommandSink {
  readonly parts: Part[] = [];
  readonly assignments: { name: string; value: string }[] = [];
  readonly home: string;
  readonly root: string;
  private depth = 0;

  constructor(private readonly options: AnalysisOptions) {
    this.home = options.home;
    this.root = options.root;
  }

  read(text: string, scope: Scope): Output {
    if (this.depth >= deepest || this.parts.length > mostParts) {
      this.ask("command.too-complex", "the command is too deeply nested or too long to be followed", text);
      return unknownOutput;
    }
    this.depth++;
    const parsed = this.options.parse(text);
    const spelled = text.replace(
      bracedCommand,
      (_whole, before: string, words: string) => `${before}${words.replaceAll(",", " ")}`,
    );
    if (spelled !== text) this.read(spelled, copyScope(scope));
    if (subshellLikeSum.test(text)) this.read(text.replaceAll("$((", "$( ("), copyScope(scope));
    if (parsed.broken) {
      this.ask("command.unparsable", "the shell's grammar does not follow this text", text);
      this.readFragments(text, scope);
    }
    for (const { rule, reason, decision } of doubtsOf(text)) {
      this.add(text, [], [decision === "deny" ? deny(rule, reason) : ask(rule, reason, "normal")], scope);
    }
    const output = evaluate(parsed.root, scope, this);
    this.depth--;
    return output;
  }

  /** Where the grammar is lost, what may be a command between two separators still counts if it is bad enough. */
  private readFragments(text: string, scope: Scope): void {
    const fragments = [...new Set(text.split(/[;|&\n(){}`]+/).map((each) => each.trim()))].filter(
      (each) => each !== "" && each !== text.trim(),
    );
    for (const fragment of fragments.slice(0, mostFragments)) {
      const worse = this.attempt(fragment, copyScope(scope)).filter(
        ({ decision, ...rest }) => decision === "deny" || ("level" in rest && rest.level === "prod"),
      );
      for (const verdict of worse) this.parts.push({ text: fragment, words: [], verdict });
    }
  }

  /** Judges a text aside: no part of the command. */
  attempt(text: string, scope: Scope): readonly Verdict[] {
    const place = this.parts.length;
    this.read(text, scope);
    return this.parts.splice(place).map(({ verdict }) => verdict);
  }

  command(command: SimpleCommand): Output {
    if (this.parts.length > mostParts) {
      this.ask("command.too-complex", "there are too many commands to be followed", command.source);
      return unknownOutput;
    }
    return this.judge(command);
  }

  assignment(assignment: Assignment, source: string, scope: Scope): void {
    this.assignments.push({ name: assignment.name, value: assignment.value.text });
    if (namesProd(assignment.value.text, this.options.prodPatterns)) scope.production = true;
    const verdict = judgeAssignment(assignment);
    if (verdict !== null) this.add(source, [], [verdict], scope);
  }

  redirect({ operator, target, source, scope }: Redirect): Output | null {
    if (/&$/.test(operator) && /^(?:\d+-?|-)$/.test(target.text)) return null;
    const reads = operator.startsWith("<") && operator !== "<>";
    const [verdicts, secret] = this.touch({ word: target, use: reads ? "read" : "write", tree: false, scope });
    if (verdicts.length > 0) this.add(source, [target], verdicts, scope);
    return reads ? { ...carryBoth(target.carried, { ...nothingCarried, secret }), text: null } : null;
  }

  defineFunction(name: string, node: ShellSyntax): void {
    const verdict = judgeFunction(name, node);
    if (verdict !== null) this.add(node.text, [], [verdict], null);
  }

  ask(rule: string, reason: string, source: string): void {
    this.add(source, [], [ask(rule, reason, "normal")], null);
  }

  private judge(command: SimpleCommand): Output {
    const { words, scope } = command;
    const draft = new Draft(this, command);
    for (const { name, value } of command.env) this.assignments.push({ name, value: value.text });
    const place = this.parts.length;
    const output = judgeProgram(command, draft) ?? unknownOutput;
    this.add(command.source, [...words, ...command.env.map(({ value }) => value)], draft.verdicts, scope, place);
    const carried = carryBoth(draft.carried, carriedBy(words));
    return {
      ...carryBoth(output, { ...carried, network: output.network, decoded: output.decoded }),
      text: output.text,
      ...(output.places === undefined ? {} : { places: output.places }),
    };
  }

  touch(touch: Parameters<typeof judgeTouch>[0]): readonly [verdicts: readonly Verdict[], secret: boolean] {
    const verdicts = judgeTouch(touch, this.options);
    return [verdicts, verdicts.some(({ rule }) => rule === "paths.secret-file" || rule === "paths.credential-store")];
  }

  mentioned(text: string): readonly Verdict[] {
    return this.options.paths.judgeMentioned(text);
  }

  exists(path: string): boolean {
    return this.options.paths.exists(path);
  }

  repositoryHoldsHidden(): boolean {
    return this.options.paths.repositoryHoldsHidden();
  }

  private add(
    text: string,
    words: readonly Word[],
    found: readonly Verdict[],
    scope: Scope | null,
    place?: number,
  ): void {
    const raised = found.map((verdict) => this.raise(verdict, text, words, scope));
    const verdict = composeVerdicts(raised, "allow");
    const rule = verdict.decision === "allow" ? "command.known" : verdict.rule;
    const part: Part = { text, words: words.map((word) => word.text), verdict: { ...verdict, rule } };
    this.parts.splice(place ?? this.parts.length, 0, part);
  }

  /** What asks and names production, or happens where production was named, waits for a person. */
  private raise(verdict: Verdict, text: string, words: readonly Word[], scope: Scope | null): Verdict {
    if (verdict.decision !== "ask" || verdict.level === "prod") return verdict;
    const folders = scope?.cwds ?? [];
    const named = [text, words.map((word) => word.text.replaceAll(unknownPiece, " ")).join(" "), ...folders];
    const isProd = scope?.production === true || named.some((each) => namesProd(each, this.options.prodPatterns));
    return isProd ? { ...verdict, level: "prod", reason: `prod needs human approval: ${verdict.reason}` } : verdict;
  }
}

/** The verdicts on one command while it is judged. */
class Draft implements Bench {
  readonly verdicts: Verdict[] = [];
  readonly home: string;
  readonly root: string;
  carried: Carried = nothingCarried;

  constructor(
    private readonly analyser: Analyser,
    private readonly about: SimpleCommand,
  ) {
    this.home = analyser.home;
    this.root = analyser.root;
  }

  ask: Bench["ask"] = (rule, reason, level = "normal") =>
    void this.verdicts.push(ask(`command.${rule}`, reason, level));

  deny: Bench["deny"] = (rule, reason) => void this.verdicts.push(deny(`command.${rule}`, reason));

  add: Bench["add"] = (verdict) => void this.verdicts.push(verdict);

  addWorse: Bench["addWorse"] = (judge) => {
    const place = this.verdicts.length;
    judge();
    const found = this.verdicts.splice(place);
    this.verdicts.push(
      ...found.filter((each) => each.decision === "deny" || (each.decision === "ask" && each.level === "prod")),
    );
  };

  touch: Bench["touch"] = (word, use, { tree = false } = {}) => {
    const [verdicts, secret] = this.analyser.touch({ word, use, tree, scope: this.about.scope });
    this.verdicts.push(...verdicts);
    if (secret) this.carried = { ...this.carried, secret: true };
  };

  mention: Bench["mention"] = (text) => {
    if (this.about.scope.remote) return;
    const folders = this.about.scope.cwds ?? ["."];
    const places = folders.flatMap((folder) => [
      text,
      ...(folder === "." || /^[~/]/.test(text) ? [] : [`${folder}/${text}`]),
    ]);
    const verdicts = places.flatMap((place) => this.analyser.mentioned(place));
    const denials = verdicts.filter((verdict) => verdict.decision === "deny");
    this.verdicts.push(...denials);
    // A plain word is more often a name in the code than a folder.
    if (denials.length > 0 || /^\w+$/.test(text)) return;
    const word = { ...literal(text), open: false };
    const [touched] = this.analyser.touch({ word, use: "write", tree: false, scope: this.about.scope });
    this.verdicts.push(...touched.filter(({ rule, decision }) => rule === "paths.contract" && decision === "deny"));
  };

  touchUnknown: Bench["touchUnknown"] = (word) => {
    const { scope } = this.about;
    const [verdicts] = this.analyser.touch({ word, use: "write", tree: false, scope });
    const firm = verdicts.filter(
      (verdict) => verdict.decision === "deny" || (verdict.decision === "ask" && verdict.level === "guarded"),
    );
    this.verdicts.push(
      ...firm.filter(
        ({ rule }) =>
          rule !== "command.unknown-folder" &&
          rule !== "command.host" &&
          rule !== "paths.hard-link" &&
          rule !== "paths.dependency",
      ),
    );
    const glued = /^(?:--?[\w-]+=|[\w-]+=|-[A-Za-z]|@)(.+)$/.exec(word.text)?.[1];
    if (glued !== undefined) this.touchUnknown({ ...word, text: glued });
  };

  mentionRead: Bench["mentionRead"] = (word) => {
    const [verdicts] = this.analyser.touch({ word, use: "list", tree: false, scope: this.about.scope });
    this.verdicts.push(...verdicts.filter((verdict) => verdict.decision === "deny"));
  };

  isSecret: Bench["isSecret"] = (word) =>
    this.analyser.touch({ word, use: "read", tree: false, scope: { ...this.about.scope, remote: false } })[1];

  mayShowRepository: Bench["mayShowRepository"] = () => {
    if (this.analyser.repositoryHoldsHidden()) this.ask("may-show-hidden", "this command may show a hidden folder");
  };

  exists: Bench["exists"] = (path) =>
    (this.about.scope.cwds ?? []).some((folder) =>
      this.analyser.exists(folder === "." || path.startsWith("/") ? path : `${folder}/${path}`),
    );

  runWords: Bench["runWords"] = (words, change = {}) => {
    if (words.length === 0) return silent;
    const env = [...this.about.env, ...(change.env ?? [])];
    const source = words.map((word) => word.raw).join(" ");
    return this.analyser.command({ words, env, source, scope: this.scopeOf(change), stdin: this.stdinOf(change) });
  };

  runScript: Bench["runScript"] = (text, change = {}) => {
    if (text.includes(unknownPiece)) {
      this.ask("unknown-text", "a part of the text that runs is only known at run time");
    }
    const scope = this.scopeOf(change);
    scope.stdin = this.stdinOf(change);
    return this.analyser.read(text.replaceAll(unknownPiece, '"$UNKNOWN"'), scope);
  };

  tryScript: Bench["tryScript"] = (text) => {
    const found = this.analyser.attempt(text, copyScope(this.about.scope));
    this.verdicts.push(...found.filter((verdict) => verdict.decision === "deny"));
  };

  private stdinOf(change: PayloadChange): Output | null {
    return change.stdin === undefined ? this.about.stdin : change.stdin;
  }

  private scopeOf(change: PayloadChange): Scope {
    if (change.sameShell === true) return this.about.scope;
    const scope = copyScope(this.about.scope);
    if (change.remote === true) scope.remote = true;
    for (const { name, value } of [...this.about.env, ...(change.env ?? [])]) scope.variables.set(name, [value]);
    if (change.folder !== undefined) {
      scope.cwds = isPlainFolder(change.folder)
        ? (scope.cwds ?? []).map((cwd) => joinFolder(cwd, change.folder?.text ?? "."))
        : null;
    }
    return scope;
  }
}

function isPlainFolder(word: Word): boolean {
  return !word.glob && !word.text.includes(unknownPiece);
}
