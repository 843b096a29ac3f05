import * as z from "zod";

type Issue = z.core.$ZodIssue;

/** JSON schema for the wire, without the noise that zod adds. */
export function toParameters(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return parameters;
}

/** What is wrong with `value`, in words from which a model can repair its call, and the shape that was expected. */
export function describeProblems(error: z.ZodError, value: unknown, schema: z.ZodType): string {
  const parameters = toParameters(schema);
  const shown = error.issues.slice(0, 5).map((issue) => describeIssue(issue, value, parameters));
  const more = error.issues.length - shown.length;
  const list = more > 0 ? [...shown, `${more} more`] : shown;
  return `${list.join("; ")}. Expected: ${toSignature(parameters)}`;
}

function describeIssue(issue: Issue, value: unknown, parameters: unknown): string {
  const place = toPlace(issue.path);
  const name = place === "" ? "the arguments" : place;
  const given = valueAt(value, issue.path);
  if (given === undefined && issue.path.length > 0) return `missing ${name}`;
  switch (issue.code) {
    case "unrecognized_keys":
      return unknownKeys(issue.keys, place, schemaAt(parameters, issue.path));
    case "invalid_type":
      return `${name} must be ${withArticle(issue.expected)}, not ${describeValue(given)}`;
    case "invalid_value":
      return `${name} must be one of ${issue.values.map((one) => JSON.stringify(one)).join(", ")}, not ${describeValue(given)}`;
    case "too_small":
      return issue.origin === "string"
        ? `${name} must not be empty`
        : `${name} must be at least ${String(issue.minimum)}`;
    case "too_big":
      return `${name} must be at most ${String(issue.maximum)}${unitOf(issue.origin)}`;
    default:
      return `${name} ${issue.message}`;
  }
}

function unknownKeys(keys: readonly string[], place: string, schema: unknown): string {
  const known = isRecord(schema) && isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const named = keys.map((key) => JSON.stringify(key.slice(0, 60))).join(", ");
  const where = place === "" ? "" : ` in ${place}`;
  return `unknown ${keys.length === 1 ? "key" : "keys"} ${named}${where} (known: ${known.join(", ") || "none"})`;
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters long";
  return origin === "array" ? " entries long" : "";
}

function withArticle(expected: string): string {
  if (expected === "int") return "a whole number";
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "string")
    return `the string ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`;
  return typeof value === "object" ? "an object" : JSON.stringify(value);
}

function toPlace(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (Object(inner) === inner ? (inner as never)[key] : undefined), value);
}

function schemaAt(schema: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (!isRecord(inner)) return undefined;
    if (typeof key === "number") return inner["items"];
    return isRecord(inner["properties"]) ? inner["properties"][String(key)] : undefined;
  }, schema);
}

/** `{path: string, offset?: integer}`: a JSON schema as a person would write the shape down. */
function toSignature(schema: unknown): string {
  if (!isRecord(schema)) return "anything";
  if (Array.isArray(schema["enum"])) return schema["enum"].map((one) => JSON.stringify(one)).join(" | ");
  if (schema["type"] === "array") return `[${toSignature(schema["items"])}, …]`;
  if (schema["type"] !== "object") return String(schema["type"]);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const properties = isRecord(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const fields = properties.map(([key, inner]) => `${key}${required.includes(key) ? "" : "?"}: ${toSignature(inner)}`);
  return `{${fields.join(", ")}}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
