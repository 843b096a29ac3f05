// The agent's words as text nodes: paragraphs, fenced code, `code` and **strong**. Nothing of it is ever markup.
import type { JSX } from "preact";
import type { CutText } from "../extension/protocol/transcriptEntry";
import { toBlocks } from "./proseBlocks";

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
    <pre class="output" tabIndex={0} role="group" aria-label={label}>
      {cut.text}
      {cut.left > 0 && <span class="left">{`\n… ${cut.left.toLocaleString()} more characters`}</span>}
    </pre>
  );
}
