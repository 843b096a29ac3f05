const simple: Readonly<Record<string, string>> = {
  ...{ a: "\x07", b: "\b", e: "\x1B", E: "\x1B", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" },
  ...{ "\\": "\\", "'": "'", '"': '"', "?": "?" },
};

const escape = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c([^])|0?([0-7]{1,3})|([^]))/g;

/** The text of `$'…'` without its quotes, and of what `echo -e` and `printf` make of their backslashes. */
export function decodeEscapes(text: string): string {
  return text.replace(
    escape,
    (whole: string, hex?: string, four?: string, eight?: string, control?: string, octal?: string, plain?: string) => {
      const code = hex ?? four ?? eight;
      if (code !== undefined) return toCharacter(parseInt(code, 16));
      if (control !== undefined) return toCharacter(control.toUpperCase().charCodeAt(0) ^ 64);
      if (octal !== undefined) return toCharacter(parseInt(octal, 8) & 255);
      return plain !== undefined && Object.hasOwn(simple, plain) ? (simple[plain] ?? whole) : whole;
    },
  );
}

function toCharacter(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
