import type * as z from "zod";
import { didYouMean } from "./didYouMean";
import type { ConfigProblem } from "./donegateConfig";
import type { YamlPath, YamlSource } from "./yamlSource";

/** What a schema found, in words and with the place in the file. */
export function toConfigProblems(error: z.ZodError, schema: z.ZodType, source: YamlSource): readonly ConfigProblem[] {
  return error.issues.flatMap((issue) => toProblems(issue, schema, source));
}

type Issue = z.core.$ZodIssue;

function toProblems(issue: Issue, schema: z.ZodType, source: YamlSource): readonly ConfigProblem[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      ...source.placeOf([...path, key], "key"),
      message: `${joined(path)}unknown key "${key}"${didYouMean(key, keysAt(schema, path))}`,
    }));
  }
  const missing = issue.code === "invalid_type" && valueAt(source.value, path) === undefined;
  const part = issue.code === "invalid_key" ? "key" : "value";
  return [
    {
      ...source.placeOf(path, part),
      message: `${joined(path)}${missing ? missingText(path) : describe(issue, source)}`,
    },
  ];
}

/** `verify.checks[0].run: `, or nothing for the whole file. */
function joined(path: YamlPath): string {
  return path.length === 0 ? "" : `${toPathText(path)}: `;
}

export function toPathText(path: YamlPath): string {
  return path
    .map((each, index) => (typeof each === "number" ? `[${each}]` : `${index > 0 ? "." : ""}${String(each)}`))
    .join("");
}

function missingText(path: YamlPath): string {
  if (path.at(-1) !== "maxAttempts") return "is missing";
  return "is missing: it says how many times the gate may judge before the run ends, and there is no default";
}

function describe(issue: Issue, source: YamlSource): string {
  const found = valueAt(source.value, issue.path);
  switch (issue.code) {
    case "invalid_type":
      return `expected ${expectedText(issue.path, issue.expected)}, found ${describeValue(found)}`;
    case "invalid_value": {
      const known = issue.values.map(String);
      const hint = typeof found === "string" ? didYouMean(found, known) : "";
      return `expected one of ${known.join(", ")}, found ${describeValue(found)}${hint}`;
    }
    case "too_small":
      if (issue.origin !== "number" && issue.origin !== "int") return "must not be empty";
      return `has to be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}, found ${describeValue(found)}`;
    case "too_big":
      return `has to be at most ${issue.maximum}, found ${describeValue(found)}`;
    case "invalid_key":
      return issue.issues[0]?.message ?? issue.message;
    default:
      return issue.message;
  }
}

function expectedText(path: YamlPath, expected: string): string {
  const word = typeWords[expected] ?? expected;
  return toPathText(path) === "verify" ? `${word} or the word off` : word;
}

const typeWords: Readonly<Record<string, string>> = {
  object: "a map",
  record: "a map",
  array: "a list",
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? `the text "${value.slice(0, 60)}"` : `a ${typeof value}`;
}

function valueAt(value: unknown, path: YamlPath): unknown {
  let at = value;
  for (const segment of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, segment)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[segment];
  }
  return at;
}

interface SchemaNode {
  def: { innerType?: SchemaNode; element?: SchemaNode; valueType?: SchemaNode; shape?: Record<string, SchemaNode> };
}

/** The keys that the map at `path` may have. */
function keysAt(schema: z.ZodType, path: YamlPath): readonly string[] {
  let node: SchemaNode | undefined = schema as unknown as SchemaNode;
  for (const segment of path) {
    const { shape, element, valueType }: SchemaNode["def"] = withoutOptional(node)?.def ?? {};
    node = shape?.[String(segment)] ?? element ?? valueType;
  }
  return Object.keys(withoutOptional(node)?.def.shape ?? {});
}

function withoutOptional(node: SchemaNode | undefined): SchemaNode | undefined {
  return node?.def.innerType ?? node;
}
