// Walks the syntax of a command the way a shell would run it: every branch, every nested command, in the folder and with
// the variables it would have there. What each command may do is judged by `Judge`; this file only finds the commands.
import type { ShellSyntax } from "../../ports/shellGrammar";
import type { Assignment } from "./bench";
import { decodeValue, decodeWords, type WordSource } from "./decodeWords";
import { copyScope, joinFolders, joinScope, type Scope } from "./scope";
import { carriedBy, carryBoth, nothingCarried, silent, unknownOutput, type Output, type Word } from "./word";

export interface SimpleCommand {
  words: readonly Word[];
  env: readonly Assignment[];
  source: string;
  scope: Scope;
  stdin: Output | null;
}

export interface Redirect {
  operator: string;
  target: Word;
  source: string;
  scope: Scope;
}

/** Judges what is found and says what it writes. */
export interface CommandSink {
  readonly home: string;
  readonly root: string;
  command(command: SimpleCommand): Output;
  assignment(assignment: Assignment, source: string, scope: Scope): void;
  /** Answers what is read from the target. */
  redirect(redirect: Redirect): Output | null;
  defineFunction(name: string, node: ShellSyntax): void;
  ask(rule: string, reason: string, source: string): void;
}

interface Flow {
  output: Output;
  /** Nothing after it runs. */
  ends: boolean;
  /** When it fails, what follows runs in the folder from before. */
  folderMayStay: boolean;
}

const flowOf = (output: Output): Flow => ({ output, ends: false, folderMayStay: false });

export function evaluate(node: ShellSyntax, scope: Scope, sink: CommandSink): Output {
  return visit(node, scope, sink).output;
}

type Visitor = (node: ShellSyntax, scope: Scope, sink: CommandSink) => Flow;

const visitors: Readonly<Record<string, Visitor>> = {
  program: visitSequence,
  compound_statement: visitSequence,
  do_group: visitSequence,
  list: visitList,
  pipeline: (node, scope, sink) => flowOf(runStages(stagesOf(node), scope, sink)),
  redirected_statement: visitRedirected,
  command: (node, scope, sink) => visitCommand(node, [], scope, sink),
  variable_assignment: visitAssignments,
  variable_assignments: visitAssignments,
  declaration_command: visitBuiltin,
  unset_command: visitBuiltin,
  test_command: visitTest,
  subshell: (node, scope, sink) => ({
    ...visitSequence(node, copyScope(scope), sink),
    ends: false,
    folderMayStay: false,
  }),
  if_statement: visitBranches,
  case_statement: visitBranches,
  while_statement: visitLoop,
  c_style_for_statement: visitLoop,
  for_statement: visitFor,
  function_definition: visitFunction,
  comment: () => flowOf(silent),
};

function visit(node: ShellSyntax, scope: Scope, sink: CommandSink): Flow {
  const visitor = Object.hasOwn(visitors, node.type) ? visitors[node.type] : undefined;
  return visitor === undefined ? visitNested(node, scope, sink) : visitor(node, scope, sink);
}

/** Anything else: only the commands inside it matter. */
function visitNested(node: ShellSyntax, scope: Scope, sink: CommandSink): Flow {
  if (node.type === "command_substitution" || node.type === "process_substitution") {
    return flowOf(visitSequence(node, { ...copyScope(scope), substituted: true }, sink).output);
  }
  for (const child of node.children) visit(child, scope, sink);
  return flowOf(unknownOutput);
}

function visitSequence(node: ShellSyntax, scope: Scope, sink: CommandSink): Flow {
  let output: Output = silent;
  let ends = false;
  let folderMayStay = false;
  for (const child of node.children) {
    if (child.text === ";;" && !child.named) sink.ask("command.unparsable", "`;;` stands outside a case", ";;");
    if (!child.named) continue;
    const before = scope.cwds;
    const flow = visit(child, scope, sink);
    if (flow.folderMayStay && !scope.stopsOnFailure) scope.cwds = joinFolders(scope.cwds, before);
    output = chain(output, flow.output);
    ends ||= flow.ends;
    folderMayStay = flow.folderMayStay;
  }
  return { output, ends, folderMayStay };
}

function chain(first: Output, second: Output): Output {
  const text = first.text === null || second.text === null ? null : first.text + second.text;
  return { ...carryBoth(first, second), text };
}

function visitList(node: ShellSyntax, scope: Scope, sink: CommandSink): Flow {
  const [left, operator, right] = node.children.filter((child) => child.type !== "comment");
  if (left === undefined) return flowOf(silent);
  const before = copyScope(scope);
  const first = visit(left, scope, sink);
  if (right === undefined) return first;
  if (operator?.text === "||") {
    const failed = copyScope(first.folderMayStay ? before : scope);
    const second = visit(right, failed, sink);
    if (!second.ends) joinScope(scope, failed);
    return { output: chain(first.output, second.output), ends: false, folderMayStay: false };
  }
  const succeeded = copyScope(scope);
  const second = visit(right, succeeded, sink);
  const moved = scope.cwds !== succeeded.cwds && !succeeded.movedForSure;
  joinScope(scope, succeeded);
  // What the last part changed is kept when all of it ran; a failed `cd` leaves the folder, which the sequence adds.
  scope.cwds = succeeded.cwds;
  return {
    output: chain(first.output, second.output),
    ends: false,
    folderMayStay: first.folderMayStay || second.folderMayStay || moved,
  };
}

interface Stage {
  node: ShellSyntax;
}

function stagesOf(node: ShellSyntax): readonly Stage[] {
  return node.children.filter((child) => child.named && child.type !== "comment").map((child) => ({ node: child }));
}

/** Each stage is a shell of its own that reads what the one before writes. */
function runStages(
  stages: readonly Stage[],
  scope: Scope,
  sink: CommandSink,
  first: Output | null = scope.stdin,
): Output {
  let stdin = first;
  for (const { node } of stages) {
    const own = copyScope(scope);
    own.stdin = stdin;
    stdin = visit(node, own, sink).output;
    for (const name of own.downloads) scope.downloads.add(name);
  }
  return stdin ?? silent;
}

function visitRedirected(node: ShellSyntax, scope: Scope, sink: CommandSink): Flow {
  const redirects = node.children.filter((child) => child.field === "redirect" || child.type.endsWith("_redirect"));
  const body = node.children.find((child) => child.field === "body");
  const read = readRedirects(redirects, scope, sink);
  const own = copyScope(scope);
  own.stdin = read.stdin ?? scope.stdin;
  const inner = body === undefined || isSubshell(body) ? own : withStdin(scope, own.stdin);
  const flow =
    body === undefined
      ? flowOf(silent)
      : body.type === "command"
        ? visitCommand(body, read.extra, inner, sink)
        : visit(body, inner, sink);
  if (inner === scope) scope.stdin = read.before;
  const written = read.takesOutput ? silent : flow.output;
  const output = read.stages.length > 0 ? runStages(read.stages, scope, sink, written) : written;
  for (const next of read.next) visit(next, scope, sink);
  return { ...flow, output };
}

function isSubshell(node: ShellSyntax): boolean {
  return node.type === "subshell" || node.type === "pipeline";
}

function withStdin(scope: Scope, stdin: Output | null): Scope {
  scope.stdin = stdin;
  return scope;
}

interface ReadRedirects {
  stdin: Output | null;
  before: Output | null;
  /** Its standard output goes to a file. */
  takesOutput: boolean;
  /** Words after a redirect's target are the command's. */
  extra: readonly ShellSyntax[];
  /** What a here-document is piped into. */
  stages: readonly Stage[];
  /** What follows `&&` on a here-document's first line. */
  next: readonly ShellSyntax[];
}

function readRedirects(nodes: readonly ShellSyntax[], scope: Scope, sink: CommandSink): ReadRedirects {
  const read = {
    stdin: null as Output | null,
    before: scope.stdin,
    takesOutput: false,
    extra: [] as ShellSyntax[],
    stages: [] as Stage[],
    next: [] as ShellSyntax[],
  };
  for (const node of nodes) {
    if (node.type === "file_redirect") {
      const result = readFileRedirect(node, scope, sink);
      read.stdin = result.stdin ?? read.stdin;
      read.takesOutput ||= result.takesOutput;
      read.extra.push(...result.extra);
    } else if (node.type === "herestring_redirect") {
      const words = decodeWords(
        node.children.filter((child) => child.named),
        sourceOf(scope, sink, node.text),
      );
      read.stdin = toStdin(words[0] ?? []);
    } else {
      readHereDocument(node, read, scope, sink);
    }
  }
  return read;
}

function toStdin(words: readonly Word[]): Output {
  const text = words.map((word) => word.text).join(" ");
  return { ...carriedBy(words), text: text.includes("\0") ? null : `${text}\n` };
}

function readHereDocument(
  node: ShellSyntax,
  read: { stdin: Output | null; takesOutput: boolean; extra: ShellSyntax[]; stages: Stage[]; next: ShellSyntax[] },
  scope: Scope,
  sink: CommandSink,
): void {
  const start = node.children.find((child) => child.type === "heredoc_start")?.text ?? "";
  const body = node.children.find((child) => child.type === "heredoc_body");
  read.stdin = readBody(body, /['"\\]/.test(start), scope, sink);
  for (const child of node.children) {
    if (child.type === "file_redirect") {
      const result = readFileRedirect(child, scope, sink);
      read.takesOutput ||= result.takesOutput;
      read.extra.push(...result.extra);
    } else if (child.type === "pipeline") read.stages.push(...stagesOf(child));
    else if (child.field === "argument") read.extra.push(child);
    else if (child.field === "right" || child.type === "command" || child.type === "list") read.next.push(child);
  }
}

function readBody(body: ShellSyntax | undefined, quoted: boolean, scope: Scope, sink: CommandSink): Output {
  if (body === undefined) return { ...nothingCarried, text: "" };
  if (quoted) return { ...nothingCarried, text: body.text };
  if (body.text.includes("`")) {
    sink.ask("command.here-document", "backquotes in a here-document may run a command", body.text);
  }
  const expansions = body.children.filter((child) => /expansion|substitution/.test(child.type));
  if (expansions.length === 0) return { ...nothingCarried, text: body.text };
  const lists = expansions.map((child) => decodeWords([child], sourceOf(scope, sink, child.text))[0] ?? []);
  return { ...carriedBy(lists.flat()), text: null };
}

function readFileRedirect(
  node: ShellSyntax,
  scope: Scope,
  sink: CommandSink,
): { stdin: Output | null; takesOutput: boolean; extra: readonly ShellSyntax[] } {
  const destinations = node.children.filter((child) => child.field === "destination");
  const [target] = destinations;
  const operator = node.children.find((child) => /^[<>&|]+-?$/.test(child.text))?.text ?? ">";
  const descriptor = node.children.find((child) => child.field === "descriptor")?.text ?? "";
  const adjacent = destinations.findIndex(
    (each, index) => index > 0 && each.start !== (destinations[index - 1]?.end ?? -1),
  );
  const count = adjacent === -1 ? destinations.length : adjacent;
  if (target === undefined) return { stdin: null, takesOutput: false, extra: [] };
  let stdin: Output | null = null;
  for (const words of decodeWords(destinations.slice(0, count), sourceOf(scope, sink, node.text))) {
    for (const word of words) stdin = sink.redirect({ operator, target: word, source: node.text, scope }) ?? stdin;
  }
  const takesOutput =
    operator.includes(">") && (descriptor === "" || descriptor === "1") && !/^\d|^-$/.test(target.text);
  return { stdin, takesOutput, extra: destinations.slice(count) };
}

function sourceOf(scope: Scope, sink: CommandSink, source: string): WordSource {
  return {
    scope,
    home: sink.home,
    root: sink.root,
    run: (node) => visit(node, copyScope(scope), sink).output,
    ask: (rule, reason) => sink.ask(rule, reason, source),
  };
}

function visitCommand(node: ShellSyntax, extra: readonly ShellSyntax[], scope: Scope, sink: CommandSink): Flow {
  const redirects = readRedirects(
    node.children.filter((child) => child.type.endsWith("_redirect")),
    scope,
    sink,
  );
  const assigned = node.children.filter((child) => child.type === "variable_assignment");
  const wordNodes = node.children.filter(
    (child) => !child.type.endsWith("_redirect") && child.type !== "variable_assignment" && child.type !== "comment",
  );
  const nodes = [...wordNodes.filter((child) => child.text !== ""), ...redirects.extra, ...extra];
  const env = assigned.flatMap((child) => readAssignment(child, scope, sink));
  if (nodes.length === 0) {
    for (const each of env) assign(each, node.text, scope, sink);
    return flowOf(silent);
  }
  const stdin = redirects.stdin ?? scope.stdin;
  const flow = runLists(
    decodeWords(nodes, sourceOf(scope, sink, node.text)),
    { env, source: node.text, stdin },
    scope,
    sink,
  );
  return redirects.takesOutput ? { ...flow, output: silent } : flow;
}

function runLists(
  lists: readonly (readonly Word[])[],
  about: Pick<SimpleCommand, "env" | "source" | "stdin">,
  scope: Scope,
  sink: CommandSink,
): Flow {
  const before = scope.cwds;
  let output: Output | null = null;
  for (const words of lists) {
    const written = sink.command({ ...about, words, scope });
    output = output === null ? written : { ...carryBoth(output, written), text: null };
  }
  const program = lists[0]?.[0]?.text ?? "";
  return {
    output: output ?? silent,
    ends: program === "exit" || program === "return" || program === "break" || program === "continue",
    folderMayStay: before !== scope.cwds && !scope.movedForSure,
  };
}

function readAssignment(node: ShellSyntax, scope: Scope, sink: CommandSink): readonly Assignment[] {
  const target = node.children.find((child) => child.field === "name");
  const value = node.children.find((child) => child.field === "value");
  if (target !== undefined && target.type === "subscript") visitNested(target, scope, sink);
  const name = target?.text.replace(/\[[^]*$/, "") ?? "";
  const appends = node.children.some((child) => child.text === "+=");
  const values = decodeValue(value, sourceOf(scope, sink, node.text));
  if (!appends && target?.type !== "subscript") return values.map((each) => ({ name, value: each }));
  const earlier = scope.variables.get(name)?.[0]?.text ?? "\0";
  return values.map((each) => ({ name, value: { ...each, text: `${earlier}${each.text}` } }));
}

function assign(assignment: Assignment, source: string, scope: Scope, sink: CommandSink, fresh = true): void {
  sink.assignment(assignment, source, scope);
  const earlier = fresh ? [] : (scope.variables.get(assignment.name) ?? []);
  scope.variables.set(assignment.name, [...earlier, assignment.value]);
}

function visitAssignments(node: ShellSyntax, scope: Scope, sink: CommandSink): Flow {
  const nodes = node.type === "variable_assignment" ? [node] : node.children.filter((child) => child.named);
  for (const each of nodes) setAll(readAssignment(each, scope, sink), node.text, scope, sink);
  return flowOf(silent);
}

function setAll(assignments: readonly Assignment[], source: string, scope: Scope, sink: CommandSink): void {
  assignments.forEach((assignment, index) => assign(assignment, source, scope, sink, index === 0));
}

/** `export A=1`, `declare -x`, `unset`: a builtin whose operands are assignments. */
function visitBuiltin(node: ShellSyntax, scope: Scope, sink: CommandSink): Flow {
  for (const child of node.children) {
    if (child.type === "variable_assignment") setAll(readAssignment(child, scope, sink), node.text, scope, sink);
  }
  const words = node.children.filter((child) => child.type !== "variable_assignment" && child.type !== "comment");
  const lists = decodeWords(words, sourceOf(scope, sink, node.text));
  return runLists(lists, { env: [], source: node.text, stdin: null }, scope, sink);
}

function visitTest(node: ShellSyntax, scope: Scope, sink: CommandSink): Flow {
  visitNested(node, scope, sink);
  const word = {
    text: node.text.startsWith("[[") ? "[[" : "[",
    raw: "[",
    glob: false,
    open: false,
    carried: nothingCarried,
  };
  sink.command({ words: [word], env: [], source: node.text, scope, stdin: null });
  return flowOf(silent);
}

/** Conditions run first; every branch may run, from the state after the conditions. */
function visitBranches(node: ShellSyntax, scope: Scope, sink: CommandSink): Flow {
  const isCase = node.type === "case_statement";
  const branches: Scope[] = [];
  let current = copyScope(scope);
  let output: Output = silent;
  for (const child of node.children) {
    const startsBranch = isCase ? child.type === "case_item" : /^(?:then|elif_clause|else_clause)$/.test(child.type);
    if (startsBranch) {
      branches.push(current);
      current = copyScope(scope);
    }
    if (!child.named) continue;
    if (/_clause$|case_item/.test(child.type)) output = merge(output, visitSequence(child, current, sink).output);
    else output = merge(output, visit(child, current, sink).output);
  }
  for (const branch of [...branches, current]) joinScope(scope, branch);
  return flowOf(output);
}

function merge(a: Output, b: Output): Output {
  return { ...carryBoth(a, b), text: a.text === "" ? b.text : b.text === "" ? a.text : null };
}

function visitLoop(node: ShellSyntax, scope: Scope, sink: CommandSink): Flow {
  const inside = copyScope(scope);
  let output: Output = silent;
  for (const child of node.children) {
    if (child.named) output = merge(output, visit(child, inside, sink).output);
  }
  joinScope(scope, inside);
  return flowOf({ ...output, text: output.text === "" ? "" : null });
}

function visitFor(node: ShellSyntax, scope: Scope, sink: CommandSink): Flow {
  const name = node.children.find((child) => child.field === "variable")?.text ?? "";
  const values = node.children.filter((child) => child.field === "value");
  const words = decodeWords(values, sourceOf(scope, sink, node.text)).flat();
  const inside = copyScope(scope);
  inside.variables.set(name, words.length > 0 && words.length <= 16 ? words : null);
  const body = node.children.find((child) => child.field === "body");
  const output = body === undefined ? silent : visit(body, inside, sink).output;
  joinScope(scope, inside);
  return flowOf({ ...output, text: output.text === "" ? "" : null });
}

function visitFunction(node: ShellSyntax, scope: Scope, sink: CommandSink): Flow {
  const name = node.children.find((child) => child.field === "name")?.text ?? "";
  sink.defineFunction(name, node);
  scope.functions.add(name);
  const body = node.children.find((child) => child.field === "body");
  if (body !== undefined) visit(body, copyScope(scope), sink);
  return flowOf(silent);
}
