// Text that reads one way and runs another way: invisible, bidirectional and control characters.

/** Emoji carry a variation selector or a joiner of their own; those hide nothing. */
const emoji = /\p{Extended_Pictographic}\uFE0F?(?:\u200D\p{Extended_Pictographic}\uFE0F?)*/gu;

const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2800\u3164\uFE00-\uFE0F\uFFA0\u{E0100}-\u{E01EF}]/u;

/** The first such character as `U+202E`, or null. `lineBreaks`: tabs and line ends are ordinary there (a command's text). */
export function hiddenCharacterIn(text: string, lineBreaks = false): string | null {
  const plain = lineBreaks ? text.replaceAll("\r\n", "\n").replace(/[\t\n]/g, " ") : text;
  const found = hidden.exec(plain.replace(emoji, "x"));
  const code = found?.[0].codePointAt(0);
  return code === undefined ? null : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
