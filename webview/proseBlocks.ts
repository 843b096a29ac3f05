export interface Block {
  kind: "text" | "code";
  text: string;
}

/** Paragraphs and fenced code. A fence that is still open, as while it streams, is code to the end. */
export function toBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let fence: string | null = null;
  let lines: string[] = [];
  const close = (kind: Block["kind"]): void => {
    const body = lines.join("\n");
    if (body.trim() !== "") blocks.push({ kind, text: kind === "code" ? body : body.trim() });
    lines = [];
  };
  for (const line of text.split("\n")) {
    const mark: string | undefined = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) {
      close("text");
      fence = mark;
    } else if (fence !== null && mark?.startsWith(fence) === true && line.trim() === mark) {
      close("code");
      fence = null;
    } else if (fence === null && line.trim() === "") close("text");
    else lines.push(line);
  }
  close(fence === null ? "text" : "code");
  return blocks;
}
