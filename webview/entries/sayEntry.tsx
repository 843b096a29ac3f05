import type { JSX } from "preact";
import type { EntryOf } from "../../extension/protocol/transcriptEntry";
import { Icon } from "../icons";
import { Output, Prose } from "../prose";

export function SayEntry({ entry }: { entry: EntryOf<"say"> }): JSX.Element {
  const { text, reasoning, isFinal } = entry;
  return (
    <div class="say">
      {reasoning !== null && (
        <details class="told">
          <summary>
            <Icon name="chevron" tone="quiet" />
            Reasoning
          </summary>
          <Output cut={reasoning} label="Reasoning" />
        </details>
      )}
      {text.text !== "" && <Prose text={text.text} />}
      {text.left > 0 && <p class="hint">{text.left.toLocaleString()} more characters are in the journal</p>}
      {isFinal && (
        <p class="claim">
          <Icon name="claimed" tone="claim" />
          Claims to be finished
        </p>
      )}
    </div>
  );
}
