// Words of the command line in, options and operands out. Strict: what is not understood is never guessed at.

/** `flag` takes no value, `value` one and at most once, `list` one each time, `pair` two each time. */
export type OptionKind = "flag" | "value" | "list" | "pair";
export type OptionTable = Readonly<Record<string, OptionKind>>;

export interface GivenOption {
  name: string;
  values: readonly string[];
}

export interface ParsedArguments {
  /** In the order of the command line. */
  options: readonly GivenOption[];
  operands: readonly string[];
}

export type ParseResult = ({ ok: true } & ParsedArguments) | { ok: false; message: string };

const valueCount: Readonly<Record<OptionKind, number>> = { flag: 0, value: 1, list: 1, pair: 2 };

export function parseArguments(words: readonly string[], table: OptionTable): ParseResult {
  const options: GivenOption[] = [];
  const operands: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      operands.push(...rest.splice(0));
    } else if (!/^-./.test(word)) {
      operands.push(word);
    } else {
      const taken = takeOption(word, rest, table);
      if (!taken.ok) return taken;
      const isTwice = options.some((option) => option.name === taken.option.name);
      if (isTwice && ["flag", "value"].includes(table[taken.option.name] ?? "")) {
        return failed(`--${taken.option.name} is given twice`);
      }
      options.push(taken.option);
    }
  }
  return { ok: true, options, operands };
}

/** `--name VALUE` or `--name=VALUE`; a value that begins with `--` needs the second form. Takes the values off `rest`. */
function takeOption(
  word: string,
  rest: string[],
  table: OptionTable,
): { ok: true; option: GivenOption } | { ok: false; message: string } {
  const equals = word.indexOf("=");
  const name = word.slice(2, equals < 0 ? undefined : equals);
  const kind = word.startsWith("--") && Object.hasOwn(table, name) ? table[name] : undefined;
  if (kind === undefined) return failed(`unknown option ${equals < 0 ? word : word.slice(0, equals)}`);
  const values = equals < 0 ? [] : [word.slice(equals + 1)];
  if (values.length > valueCount[kind]) return failed(`--${name} takes no value`);
  while (values.length < valueCount[kind]) {
    const value = rest[0];
    if (value === undefined || value.startsWith("--")) return failed(missingValue(name, kind));
    values.push(value);
    rest.shift();
  }
  if (values[0] === "" && kind !== "flag") return failed(`--${name} has an empty value`);
  return { ok: true, option: { name, values } };
}

function missingValue(name: string, kind: OptionKind): string {
  return kind === "pair" ? `--${name} needs two values` : `--${name} needs a value`;
}

const failed = (message: string): { ok: false; message: string } => ({ ok: false, message });

export function hasFlag({ options }: ParsedArguments, name: string): boolean {
  return options.some((option) => option.name === name);
}

/** The value of an option that may be given once, or null. */
export function valueOf({ options }: ParsedArguments, name: string): string | null {
  return options.find((option) => option.name === name)?.values[0] ?? null;
}

export function valuesOf({ options }: ParsedArguments, name: string): readonly string[] {
  return options.filter((option) => option.name === name).flatMap((option) => option.values.slice(0, 1));
}
