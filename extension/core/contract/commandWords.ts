// Words of a check's command, to find names in it. Never used to run anything or to allow anything.

/** The simple commands of an argv or of shell text, each as its words with quotes taken off; `sh -c` is looked into. */
export function simpleCommands(run: readonly string[] | string): string[][] {
  if (typeof run === "string") return splitShellText(run).commands.flatMap(simpleCommands);
  const text = shellScriptOf(run);
  return text === null ? [[...run]] : [[...run], ...simpleCommands(text)];
}

/** What operators of a shell text hide, in words for a person; `where` says whose text it is. */
export function shellWarnings(text: string, where: string): string[] {
  const { operators } = splitShellText(text);
  const warnings: string[] = [];
  if (operators.includes("||")) warnings.push(`${where}: "||" hides the failure of what stands before it`);
  if (operators.includes(";"))
    warnings.push(`${where}: ";" goes on after a failure in shells that do not stop at errors`);
  if (operators.at(-1) === "&" && /&\s*$/.test(text))
    warnings.push(`${where}: a trailing "&" answers before the command ends`);
  return warnings;
}

/** The program of a simple command: its first word that is no assignment. */
export function programOf(words: readonly string[]): string | null {
  return words.find((word) => !/^[A-Za-z_]\w*=/.test(word)) ?? null;
}

const shells = new Set(["sh", "bash", "dash", "zsh", "ksh"]);

function shellScriptOf(argv: readonly string[]): string | null {
  const program = argv[0]?.split("/").at(-1) ?? "";
  const flag = argv.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  return shells.has(program) && flag > 0 ? (argv[flag + 1] ?? null) : null;
}

const twoCharacterOperators = ["&&", "||", ";;", "|&", ">>", "<<", ">&", "<&"];
const redirects = new Set([">", "<", ">>", "<<", ">&", "<&"]);

function splitShellText(text: string): { commands: string[][]; operators: string[] } {
  const commands: string[][] = [[]];
  const operators: string[] = [];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null) commands.at(-1)?.push(word);
    word = null;
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "'" || char === '"') {
      const quoted = readQuoted(text, at);
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else if (char === "\\") {
      at += 1;
      if (text[at] !== "\n") word = (word ?? "") + text.charAt(at);
    } else if (char === "#" && word === null) {
      while (at + 1 < text.length && text[at + 1] !== "\n") at += 1;
    } else if (";&|<>()`\n".includes(char)) {
      endWord();
      const pair = text.slice(at, at + 2);
      const operator = twoCharacterOperators.includes(pair) ? pair : char;
      at += operator.length - 1;
      operators.push(operator);
      if (!redirects.has(operator)) commands.push([]);
    } else if (/\s/.test(char)) endWord();
    else word = (word ?? "") + char;
  }
  endWord();
  return { commands: commands.filter((words) => words.length > 0), operators };
}

function readQuoted(text: string, start: number): { text: string; end: number } {
  const quote = text.charAt(start);
  let inner = "";
  let at = start + 1;
  for (; at < text.length && text[at] !== quote; at += 1) {
    if (quote === '"' && text[at] === "\\" && '"\\$`'.includes(text.charAt(at + 1))) at += 1;
    inner += text.charAt(at);
  }
  return { text: inner, end: at };
}
