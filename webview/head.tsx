// The strip at the top: how the run stands, in one glance.
import type { JSX } from "preact";
import type { RunHead } from "../extension/protocol/transcriptView";
import { formatCount, plural } from "./format";
import { Icon, type IconName } from "./icons";
import { usePage } from "./page";

interface Standing {
  icon: IconName;
  tone: string;
  text: string;
}

const phases = { starting: "Starting", running: "Working", waiting: "Waiting", verifying: "Checking", ended: "Ended" };

const endings: Readonly<Record<string, Standing>> = {
  incomplete: { icon: "error", tone: "bad", text: "Incomplete" },
  timeout: { icon: "error", tone: "bad", text: "Out of time" },
  error: { icon: "error", tone: "bad", text: "Error" },
  interrupted: { icon: "stop", tone: "quiet", text: "Stopped" },
  closed: { icon: "stop", tone: "quiet", text: "Closed" },
  pending: { icon: "waiting", tone: "ask", text: "Waiting" },
};

function toStanding({ mode, phase, status, verdict, isReview, waiting }: RunHead): Standing {
  if (mode === "unreadable") return { icon: "error", tone: "bad", text: "Cannot be read" };
  if (waiting > 0) return { icon: "waiting", tone: "ask", text: "Waiting for you" };
  if (status === "done") {
    return verdict === "VERIFIED"
      ? { icon: "verified", tone: "good", text: "Verified" }
      : { icon: "claimed", tone: "plain", text: "Done, not verified" };
  }
  if (isReview) return { icon: "waiting", tone: "ask", text: "Needs your review" };
  const ending = status === null ? undefined : endings[status];
  if (ending !== undefined) return ending;
  if (mode === "paused") return { icon: "none", tone: "quiet", text: "Paused" };
  return { icon: "running", tone: "busy", text: phases[phase] };
}

export function Head({ run }: { run: RunHead }): JSX.Element {
  const page = usePage();
  const { icon, tone, text } = toStanding(run);
  const refusal = page.refusal("page");
  return (
    <header class="head">
      <h1 class="hidden-text">{run.goal}</h1>
      <div class="head-line">
        <span class={`standing tone-${tone}`} role="status">
          <Icon name={icon} tone={tone} />
          {text}
        </span>
        <span class="head-facts">
          {[run.folder, run.model, plural(run.turns, "turn"), `${formatCount(run.tokens)} tokens`]
            .filter((fact) => fact !== "")
            .join(" · ")}
        </span>
      </div>
      {run.problem !== null && <p class="problem">{run.problem}</p>}
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
    </header>
  );
}
