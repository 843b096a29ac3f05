// Secrets never reach the disk. Every string of an event is searched for known shapes and for the values of
// secret-named variables; what is found is replaced and its place is noted.
import { findSpans, type SecretValue } from "./redactShapes";

export type { SecretValue } from "./redactShapes";

/** A copy with every secret replaced by `«redacted:kind»`; `spans` are the places (`args.token`, `calls[0].argumentsText`). */
export function redactEvent<E extends object>(
  event: E,
  secrets: readonly SecretValue[],
): { event: E; spans: string[] } {
  const spans: string[] = [];
  const redacted = redactValue(event, "", { secrets, spans });
  return { event: spans.length === 0 ? event : (redacted as E), spans };
}

/** The same for one text. */
export function redactText(text: string, secrets: readonly SecretValue[]): string {
  let clean = "";
  let at = 0;
  for (const span of findSpans(text, secrets)) {
    clean += `${text.slice(at, span.start)}«redacted:${span.kind}»`;
    at = span.end;
  }
  return at === 0 ? text : clean + text.slice(at);
}

interface Redaction {
  secrets: readonly SecretValue[];
  spans: string[];
}

function redactValue(value: unknown, path: string, redaction: Redaction): unknown {
  if (typeof value === "string") {
    const clean = redactText(value, redaction.secrets);
    if (clean !== value) redaction.spans.push(path);
    return clean;
  }
  if (Array.isArray(value)) return value.map((item, index) => redactValue(item, `${path}[${index}]`, redaction));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const cleanKey = redactText(key, redaction.secrets);
      const partPath = path === "" ? cleanKey : `${path}.${cleanKey}`;
      if (cleanKey !== key) redaction.spans.push(partPath);
      return [cleanKey, redactValue(part, partPath, redaction)];
    }),
  );
}

export interface FoundSecret {
  /** 1-based line on which it starts. */
  line: number;
  kind: string;
  /** Enough to find it, too little to use it. */
  masked: string;
}

/** Secrets in a file's text. Only shapes that do not occur by chance: a place holder after `Bearer` is no finding. */
export function findSecrets(text: string, secrets: readonly SecretValue[] = []): FoundSecret[] {
  let line = 1;
  let at = 0;
  return findSpans(text, secrets, { certainOnly: true }).map(({ start, end, kind }) => {
    for (let next = text.indexOf("\n", at); next !== -1 && next < start; next = text.indexOf("\n", at)) {
      line += 1;
      at = next + 1;
    }
    return { line, kind, masked: maskSecret(text.slice(start, end), kind) };
  });
}

function maskSecret(secret: string, kind: string): string {
  if (kind === "private-key") return "private key block";
  return `${secret.slice(0, 4)}… (${secret.length} characters)`;
}

const secretWord = /^(?:APIKEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|CREDENTIALS?|PAT|AUTH)$/;
const notTheSecretItself = /(?:^PWD$|^OLDPWD$|_(?:FILE|PATH|DIR|SOCK|URL|ENDPOINT|TYPE|NAME)$)/;

/** Variables whose name says that they hold a secret. Values under eight characters are left out: they would match by chance. */
export function toSecretValues(environment: Readonly<Record<string, string | undefined>>): SecretValue[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const upper = name.toUpperCase();
    const isSecret = upper.split(/[^A-Z0-9]+/).some((word) => secretWord.test(word)) && !notTheSecretItself.test(upper);
    return isSecret && value !== undefined && value.length >= 8 ? [{ name, value }] : [];
  });
}
