// A tool call on one line, folded with its arguments and its result. Denials and requests are never folded.
import type { JSX } from "preact";
import type { EntryOf } from "../../extension/protocol/transcriptEntry";
import { callWords } from "../describeEntry";
import { formatDuration } from "../format";
import { Icon, type IconName } from "../icons";
import { usePage } from "../page";
import { Output } from "../prose";
import { ApprovalCard } from "./approvalCard";
import { CheckList } from "./checkList";

type Call = EntryOf<"call">;

const looks: Readonly<Record<Call["state"], { icon: IconName; tone: string }>> = {
  running: { icon: "running", tone: "busy" },
  waiting: { icon: "waiting", tone: "ask" },
  ok: { icon: "ok", tone: "quiet" },
  error: { icon: "error", tone: "bad" },
  denied: { icon: "denied", tone: "bad" },
  cancelled: { icon: "none", tone: "quiet" },
  interrupted: { icon: "interrupted", tone: "ask" },
};

export function CallEntry({ entry }: { entry: Call }): JSX.Element {
  const { callId, tool, brief, state, summary, denial, approval, checks, contractTouched, durationMs } = entry;
  const page = usePage();
  const { icon, tone } = looks[state];
  const progress = state === "running" ? page.progress[callId] : undefined;
  return (
    <div class={`call is-${state}`}>
      <details>
        <summary>
          <Icon name="chevron" tone="quiet" />
          <Icon name={icon} tone={tone} label={callWords[state]} />
          <span class="call-line">
            <code class="tool">{tool}</code> <span class="brief">{brief}</span>
          </span>
          {durationMs !== null && durationMs >= 1_000 && <span class="time">{formatDuration(durationMs)}</span>}
        </summary>
        <CallBody entry={entry} />
      </details>
      {progress !== undefined && <p class="progress">{progress}</p>}
      {denial === null && summary !== "" && state !== "ok" && state !== "denied" && <p class="call-note">{summary}</p>}
      {denial !== null && (
        <p class="denial">
          <strong>Denied</strong> {denial.reason} <span class="rule">{denial.rule}</span>
        </p>
      )}
      {contractTouched.length > 0 && (
        <p class="denial">
          <strong>Changed what decides the checks</strong> {contractTouched.join(", ")}
        </p>
      )}
      {checks.length > 0 && <CheckList checks={checks} />}
      {approval !== null && (approval.status !== "denied" || denial === null) && <ApprovalCard approval={approval} />}
    </div>
  );
}

function CallBody({ entry }: { entry: Call }): JSX.Element {
  const page = usePage();
  const { callId, args, result, hasMore, files, tool, summary } = entry;
  const refusal = page.refusal(`call:${callId}`);
  return (
    <div class="call-body">
      {args.text !== "" && (
        <>
          <h2 class="minor">Arguments</h2>
          <Output cut={args} label={`Arguments of ${tool}`} />
        </>
      )}
      {result !== null && (
        <>
          <h2 class="minor">Result{summary === "" ? "" : `: ${summary}`}</h2>
          {result.text !== "" && <Output cut={result} label={`Result of ${tool}`} />}
        </>
      )}
      <div class="links">
        {hasMore && (
          <button
            type="button"
            class="link"
            onClick={() => page.ask({ type: "open", target: { what: "output", callId } })}
          >
            Open the whole output
          </button>
        )}
        {files.map((path) => (
          <button
            type="button"
            class="link"
            key={path}
            onClick={() => page.ask({ type: "open", target: { what: "file", path } })}
          >
            {path}
          </button>
        ))}
      </div>
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}
