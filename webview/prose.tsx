// The agent's words as text nodes: paragraphs, fenced code, `code` and **strong**. Nothing of it is ever markup.
import type { JSX } from "preact";
import type { CutText } from "../extension/protocol/transcriptEntry";

interface Block {
  kind: "text" | "code";
  text: string;
}

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

export function Prose({ text, isLive = false }: { text: string; isLive?: boolean }): JSX.Element {
  return (
    <div class={isLive ? "prose live" : "prose"} dir="auto">
      {toBlocks(text).map((block, at) =>
        block.kind === "code" ? (
          <pre key={at}>
            <code>{block.text}</code>
          </pre>
        ) : (
          <p key={at}>{toSpans(block.text)}</p>
        ),
      )}
    </div>
  );
}

function toSpans(text: string): readonly (string | JSX.Element)[] {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((part, at) => {
    if (part.length > 2 && part.startsWith("`") && part.endsWith("`")) return <code key={at}>{part.slice(1, -1)}</code>;
    if (part.length > 4 && part.startsWith("**") && part.endsWith("**")) {
      return <strong key={at}>{part.slice(2, -2)}</strong>;
    }
    return part;
  });
}

/** Output of programs: as it is, wrapped, bounded in height. */
export function Output({ cut, label }: { cut: CutText; label: string }): JSX.Element {
  return (
    <pre class="output" tabIndex={0} role="region" aria-label={label}>
      {cut.text}
      {cut.left > 0 && <span class="left">{`\n… ${cut.left.toLocaleString()} more characters`}</span>}
    </pre>
  );
}
