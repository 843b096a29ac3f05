/** A value that must not be written, and the variable it comes from. */
export interface SecretValue {
  name: string;
  value: string;
}

export interface SecretSpan {
  start: number;
  end: number;
  kind: string;
}

interface Shape {
  kind: string;
  /** Text that is in every match: most texts have none of them, and the expression is not even tried. */
  hint: string;
  /** Starts at a word's edge and repeats within one class only, so that it runs in linear time. Group 1, if any, is the secret. */
  pattern: RegExp;
  /** Occurs by chance in ordinary text too: good enough to redact, not to refuse a file. */
  uncertain?: true;
}

const shapes: readonly Shape[] = [
  { kind: "github", hint: "gh", pattern: /(?<![A-Za-z0-9_])gh[pousr]_[A-Za-z0-9]{20,255}/dg },
  { kind: "github", hint: "github_pat_", pattern: /(?<![A-Za-z0-9_])github_pat_[A-Za-z0-9_]{22,255}/dg },
  { kind: "gitlab", hint: "glpat-", pattern: /(?<![A-Za-z0-9_-])glpat-[A-Za-z0-9_-]{20,255}/dg },
  { kind: "aws", hint: "A", pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/dg },
  {
    kind: "aws",
    hint: "ccess",
    pattern: /secret_?access_?key["']?\s{0,4}[=:]\s{0,4}["']?([A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])/dgi,
  },
  { kind: "slack", hint: "xo", pattern: /(?<![A-Za-z0-9])xox[abceoprs]-[A-Za-z0-9-]{10,255}/dg },
  { kind: "slack", hint: "xapp-", pattern: /(?<![A-Za-z0-9])xapp-[A-Za-z0-9-]{10,255}/dg },
  { kind: "slack", hint: "hooks.slack.com", pattern: /hooks\.slack\.com\/services\/([A-Za-z0-9/]{20,100})/dg },
  { kind: "stripe", hint: "k_live_", pattern: /(?<![A-Za-z0-9])[sr]k_live_[A-Za-z0-9]{16,255}/dg },
  { kind: "api-key", hint: "sk-", pattern: /(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]{0,255}[0-9])[A-Za-z0-9_-]{20,255}/dg },
  { kind: "google", hint: "AIza", pattern: /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}/dg },
  { kind: "npm", hint: "npm_", pattern: /(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}/dg },
  { kind: "pypi", hint: "pypi-", pattern: /(?<![A-Za-z0-9_-])pypi-[A-Za-z0-9_-]{50,255}/dg },
  {
    kind: "jwt",
    hint: "eyJ",
    pattern: /(?<![A-Za-z0-9_.-])eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,2048}/dg,
  },
  {
    kind: "bearer",
    hint: "earer",
    pattern: /(?<![A-Za-z])[Bb]earer\s{1,4}((?=[A-Za-z._~+/-]{0,255}[0-9])[A-Za-z0-9._~+/-]{16,4096}={0,2})/dg,
    uncertain: true,
  },
  {
    kind: "basic",
    hint: "asic",
    pattern: /[Aa]uthorization["']?\s{0,4}[:=]\s{0,4}["']?[Bb]asic\s{1,4}([A-Za-z0-9+/]{8,4096}={0,2})/dg,
    uncertain: true,
  },
  { kind: "url-password", hint: "://", pattern: /:\/\/[^\s/:@"'<>]{0,128}:([^\s/@"'<>]{1,256})@/dg, uncertain: true },
];

/** Where secrets stand, in order, overlapping ones joined. */
export function findSpans(
  text: string,
  secrets: readonly SecretValue[],
  options: { certainOnly?: boolean } = {},
): SecretSpan[] {
  const used = options.certainOnly === true ? shapes.filter((shape) => shape.uncertain !== true) : shapes;
  return joinSpans([
    ...used.flatMap((shape) => spansOfShape(text, shape)),
    ...privateKeySpans(text),
    ...secrets.flatMap((secret) => spansOfValue(text, secret)),
  ]);
}

function spansOfShape(text: string, { kind, hint, pattern }: Shape): SecretSpan[] {
  if (!text.includes(hint)) return [];
  return [...text.matchAll(pattern)].flatMap((match) => {
    const place = match.indices?.[1] ?? match.indices?.[0];
    return place === undefined ? [] : [{ start: place[0], end: place[1], kind }];
  });
}

/** From the first line of a key to its last; a key that is cut off reaches to the end of the text. */
function privateKeySpans(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const footer = text.indexOf("-----END", begin.lastIndex);
    const dashes = footer === -1 ? -1 : text.indexOf("-----", footer + 8);
    const end = dashes === -1 ? text.length : dashes + 5;
    spans.push({ start: match.index, end, kind: "private-key" });
    begin.lastIndex = end;
  }
  return spans;
}

/** The value as it is and as it looks inside JSON text (a tool's arguments are such a text). */
function spansOfValue(text: string, { name, value }: SecretValue): SecretSpan[] {
  if (value.length < 8) return [];
  const escaped = JSON.stringify(value).slice(1, -1);
  return [...new Set([value, escaped])].flatMap((form) => {
    const spans: SecretSpan[] = [];
    for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + form.length)) {
      spans.push({ start, end: start + form.length, kind: name });
    }
    return spans;
  });
}

function joinSpans(spans: SecretSpan[]): SecretSpan[] {
  const joined: SecretSpan[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
    else joined.push({ ...span });
  }
  return joined;
}
