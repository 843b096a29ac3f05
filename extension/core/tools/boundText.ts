/** As many characters as one result may bring into the model's context. */
export const maxResultCharacters = 16_000;

export interface BoundedText {
  text: string;
  cut: boolean;
}

/** Keeps head and tail and counts what is left out between them. */
export function boundText(text: string, limit = maxResultCharacters): BoundedText {
  if (text.length <= limit) return { text, cut: false };
  const head = headOf(text, Math.floor(limit * 0.6));
  const tail = tailOf(text, limit - head.length);
  const left = text.length - head.length - tail.length;
  return { text: `${head}\n… ${left} characters left out …\n${tail}`, cut: true };
}

/** At most `length` characters, without half of a surrogate pair at the cut. */
export function headOf(text: string, length: number): string {
  return text.slice(0, isSplit(text, length) ? length - 1 : length);
}

function tailOf(text: string, length: number): string {
  const start = text.length - length;
  return text.slice(isSplit(text, start) ? start + 1 : start);
}

function isSplit(text: string, index: number): boolean {
  const next = text.charCodeAt(index);
  return index > 0 && index < text.length && next >= 0xdc00 && next <= 0xdfff;
}
