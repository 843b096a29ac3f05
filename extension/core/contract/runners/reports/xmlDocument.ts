// A strict reader for the XML that test runners write: no document types, no entities of one's own, one root, all of it
// closed. Anything else is no document, since a report that is not whole must not count.

export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  /** Character data directly in it, in one piece. */
  text: string;
}

interface OpenElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const deepest = 200;
const token =
  /<!--(?:(?!--)[^])*-->|<!\[CDATA\[(?<data>(?:(?!\]\]>)[^])*)\]\]>|<\?(?:(?!\?>)[^])*\?>|<\/(?<close>[^\s<>/]+)\s*>|<(?<open>[^\s<>/!?=]+)(?<attributes>(?:\s+[^\s<>/=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)/gy;

/** The root element, null for anything but one whole document. */
export function readXml(source: string): XmlElement | null {
  const text = source.replace(/^\uFEFF/, "");
  const holder: OpenElement = { name: "", attributes: {}, children: [], text: "" };
  const open: OpenElement[] = [holder];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null || !take(match.groups ?? {}, open)) return null;
  }
  const isWhole = open.length === 1 && holder.children.length === 1 && holder.text.trim() === "";
  return isWhole ? (holder.children[0] ?? null) : null;
}

function take(part: Readonly<Record<string, string | undefined>>, open: OpenElement[]): boolean {
  const current = open.at(-1);
  if (current === undefined || open.length > deepest) return false;
  if (part["close"] !== undefined) {
    if (open.length === 1 || current.name !== part["close"]) return false;
    open.pop();
    return true;
  }
  if (part["open"] !== undefined) {
    const attributes = readAttributes(part["attributes"] ?? "");
    if (attributes === null) return false;
    const element: OpenElement = { name: part["open"], attributes, children: [], text: "" };
    current.children.push(element);
    if (part["empty"] !== "/") open.push(element);
    return true;
  }
  const text = part["data"] ?? (part["text"] === undefined ? "" : decode(part["text"]));
  if (text === null) return false;
  current.text += text;
  return true;
}

function readAttributes(source: string): Record<string, string> | null {
  const attributes: Record<string, string> = {};
  for (const [, name = "", quoted = ""] of source.matchAll(/([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
    const value = decode(quoted.slice(1, -1));
    if (value === null || Object.hasOwn(attributes, name)) return null;
    attributes[name] = value;
  }
  return attributes;
}

const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Null where an ampersand starts none of the references that every reader knows. */
function decode(text: string): string | null {
  let isKnown = true;
  const decoded = text.replace(/&([^;&\s]*);?/g, (all, name: string) => {
    const value = all.endsWith(";") ? (named[name] ?? fromNumber(name)) : null;
    isKnown &&= value !== null;
    return value ?? "";
  });
  return isKnown ? decoded : null;
}

function fromNumber(name: string): string | null {
  const digits = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
  if (digits === null) return null;
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

/** Every element of this name, at any depth, in the order of the document. */
export function elementsNamed(root: XmlElement, name: string): XmlElement[] {
  const inner = root.children.flatMap((child) => elementsNamed(child, name));
  return root.name === name ? [root, ...inner] : inner;
}
