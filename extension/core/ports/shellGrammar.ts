/** One node of the syntax of shell text (bash), as the grammar names it. Offsets count UTF-16 units of the whole text. */
export interface ShellSyntax {
  readonly type: string;
  /** False for punctuation and keywords. */
  readonly named: boolean;
  /** What the node is to its parent, where the grammar says so: `name`, `argument`, `redirect` … */
  readonly field: string | null;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly ShellSyntax[];
}

export interface ParsedShell {
  root: ShellSyntax;
  /** The text does not follow the grammar somewhere: nothing may be taken for granted then. */
  broken: boolean;
}

export type ParseShell = (text: string) => ParsedShell;

/** Reads shell text with a real grammar. */
export interface ShellGrammar {
  /** The first call does the work. Never rejects; a failure is remembered. */
  load(): Promise<{ ok: true; parse: ParseShell } | { ok: false; message: string }>;
}
