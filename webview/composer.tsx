// Where a person speaks to the agent, now or after the turn that is going on.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunHead } from "../extension/protocol/transcriptView";
import { Icon } from "./icons";
import { usePage } from "./page";

interface ComposerProps {
  run: RunHead;
  draft: string;
  onDraft: (draft: string) => void;
}

export function Composer({ run, draft, onDraft }: ComposerProps): JSX.Element {
  const page = usePage();
  const [text, setText] = useState(draft);
  const served = page.served("composer");
  const servedBefore = useRef(served);
  const write = (value: string): void => {
    setText(value);
    onDraft(value);
  };
  useEffect(() => {
    if (served !== servedBefore.current) write("");
    servedBefore.current = served;
  }, [served]);
  const isBusy = page.isAsked("composer");
  const isClosed = run.mode === "watching" || run.mode === "unreadable";
  const canSend = !isClosed && !isBusy && text.trim() !== "";
  const send = (): void => {
    if (canSend) page.ask({ type: "steer", text });
  };
  const refusal = page.refusal("composer");
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      <div class="composer-box">
        <textarea
          aria-label="Message to the agent"
          rows={1}
          maxLength={20_000}
          placeholder={toPlaceholder(run)}
          disabled={isClosed}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <RunButton run={run} />
        <button type="submit" class="icon-button" aria-label="Send" title="Send (Enter)" aria-disabled={!canSend}>
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}

/** Down here: it must not be the first thing that a lost focus falls on. */
function RunButton({ run }: { run: RunHead }): JSX.Element | null {
  const page = usePage();
  const isBusy = page.isAsked("page");
  if (run.mode === "live") {
    return (
      <button type="button" class="secondary small" aria-disabled={isBusy} onClick={() => page.ask({ type: "stop" })}>
        Stop
      </button>
    );
  }
  if (run.mode !== "paused" || run.waiting > 0) return null;
  return (
    <button type="button" class="small" aria-disabled={isBusy} onClick={() => page.ask({ type: "resume" })}>
      Resume
    </button>
  );
}

function toPlaceholder({ mode, status }: RunHead): string {
  switch (mode) {
    case "live":
      return "Tell the agent something";
    case "paused":
      return "Say something and go on";
    case "ended":
      return status === "done" ? "What has to be done next?" : "Say something and go on";
    case "watching":
      return "Another window holds this run";
    case "unreadable":
      return "This run cannot go on";
  }
}
