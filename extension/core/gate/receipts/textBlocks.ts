// Markdown as far as claims need it: paragraphs, list items (table rows too) and headings, without code and quotations.

export interface Block {
  kind: "heading" | "paragraph" | "item";
  text: string;
  /** Columns before the bullet. */
  indent: number;
}

const fence = /^\s*(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}|~{3,})/;
const heading = /^\s{0,3}#{1,6}\s+(.+?)\s*#*$|^\s*\*\*([^*]+)\*\*\s*:?\s*$/;
const bullet = /^(\s*)(?:[-*+•]|\d+[.)])\s+(.+)$/;
const tableRule = /^\s*\|?[\s:|-]+\|?\s*$/;

export function toBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  let closing: string | null = null;
  let afterBlank = true;
  const add = (block: Block): void => {
    blocks.push(block);
    open = block.kind === "heading" ? null : block;
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const mark = fence.exec(line)?.[1];
    if (closing !== null || mark !== undefined) {
      if (closing === null) closing = mark ?? null;
      else if (mark?.startsWith(closing) === true) closing = null;
      continue;
    }
    const blank = line.trim() === "" || /^\s*>/.test(line);
    const indentedCode: boolean = afterBlank && open === null && /^(?: {4}|\t)/.test(line) && !bullet.test(line);
    if (blank || indentedCode) open = null;
    else readLine(line, open, add);
    afterBlank = blank || indentedCode;
  }
  return blocks.map((block) => ({ ...block, text: plainText(block.text) })).filter((block) => block.text !== "");
}

function readLine(line: string, open: Block | null, add: (block: Block) => void): void {
  const title = heading.exec(line);
  const item = bullet.exec(line);
  if (title !== null) add({ kind: "heading", text: title[1] ?? title[2] ?? "", indent: 0 });
  else if (item !== null) add({ kind: "item", text: item[2] ?? "", indent: item[1]?.length ?? 0 });
  else if (tableRule.test(line) && line.includes("-")) return;
  else if (line.trim().startsWith("|")) add({ kind: "item", text: rowText(line), indent: 0 });
  else if (open !== null) open.text += ` ${line.trim()}`;
  else add({ kind: "paragraph", text: line.trim(), indent: 0 });
}

function rowText(line: string): string {
  const cells = line.split("|").map((cell) => cell.trim());
  return cells.filter((cell) => cell !== "").join(": ");
}

function plainText(markdown: string): string {
  return markdown
    .replace(/~~.+?~~/g, " ")
    .replace(/<!--.{0,2000}?-->|<\/?[a-z][^<>]*>/gi, " ")
    .replace(/!?\[([^\][]{0,500})\]\([^)\s]{0,500}\)/g, "$1")
    .replace(/\*+|(?<!\w)__|__(?!\w)/g, "")
    .replaceAll("’", "'")
    .replace(/\b(e\.g|i\.e|etc|vs|approx|incl)\./gi, (word) => word.replaceAll(".", ""))
    .trim();
}
