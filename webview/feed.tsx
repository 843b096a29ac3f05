// The pieces in order, following the newest as long as the person is at the end.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TranscriptView } from "../extension/protocol/transcriptView";
import { describeEntry } from "./describeEntry";
import { EntryView, isDecision } from "./entries/entryView";
import { plural } from "./format";
import { Icon } from "./icons";
import { usePage } from "./page";
import { Prose } from "./prose";

const nearEndPx = 40;

export interface FeedProps {
  view: TranscriptView;
  filter: "all" | "decisions";
  /** Pixels from the top; null: at the newest. */
  scroll: number | null;
  onScroll: (scroll: number | null) => void;
}

export function Feed({ view, filter, scroll, onScroll }: FeedProps): JSX.Element {
  const page = usePage();
  const box = useRef<HTMLElement>(null);
  const [isAtEnd, setAtEnd] = useState(scroll === null);
  const lastTop = useRef(0);
  const toEnd = (): void => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  };
  useLayoutEffect(() => {
    if (scroll !== null && box.current !== null) box.current.scrollTop = scroll;
  }, []);
  const isFollowing = useRef(isAtEnd);
  isFollowing.current = isAtEnd;
  useEffect(() => {
    // Also when a window gets narrower, a form opens or words are streamed in.
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) toEnd();
    });
    for (const element of [box.current, box.current?.querySelector("ol")]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const note = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = box.current ?? document.documentElement;
    const isNear = scrollHeight - scrollTop - clientHeight < nearEndPx;
    // New pieces also put the end further away; only a person goes up.
    const goesUp = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    const follows = isNear || (isAtEnd && !goesUp);
    setAtEnd(follows);
    onScroll(follows ? null : scrollTop);
  };
  const shown = filter === "all" ? view.entries : view.entries.filter(isDecision);
  return (
    <main class="feed" ref={box} onScroll={note} tabIndex={0} aria-label="Transcript">
      {view.earlier > 0 && (
        <button type="button" class="link earlier" onClick={() => page.ask({ type: "showEarlier" })}>
          {plural(view.earlier, "earlier entry", "earlier entries")}: show more
        </button>
      )}
      <ol class="entries">
        {shown.map((entry) => (
          <li key={entry.key} class={`entry of-${entry.kind}`} data-kind={entry.kind}>
            <EntryView entry={entry} />
          </li>
        ))}
        {filter === "all" && <LiveEntry live={view.live} />}
      </ol>
      <Announcer view={view} />
      {!isAtEnd && (
        <button
          type="button"
          class="newest"
          onClick={() => {
            setAtEnd(true);
            toEnd();
          }}
        >
          <Icon name="down" /> Newest
        </button>
      )}
    </main>
  );
}

/** Not announced while it grows: it is announced once it is whole. */
function LiveEntry({ live }: Pick<TranscriptView, "live">): JSX.Element | null {
  if (live === null) return null;
  return (
    <li class="entry of-live" data-kind="live" aria-busy="true">
      {live.text === "" ? (
        <p class="hint thinking">{live.isReasoning ? "Thinking…" : "…"}</p>
      ) : (
        <Prose text={live.text} isLive />
      )}
    </li>
  );
}

const mostAnnounced = 3;

/** Says what is new, a few pieces at a time; what was there at the start is not news. */
function Announcer({ view }: { view: TranscriptView }): JSX.Element {
  const known = useRef<ReadonlySet<string> | null>(null);
  const [news, setNews] = useState("");
  const keys = view.entries.map((entry) => `${entry.key} ${toNewsState(entry)}`);
  useEffect(() => {
    const before = known.current;
    known.current = new Set(keys);
    if (before === null) return;
    const fresh = view.entries.filter((_, at) => !before.has(keys[at] ?? ""));
    if (fresh.length > 0) setNews(fresh.slice(-mostAnnounced).map(describeEntry).join(". "));
  }, [keys.join("\n")]);
  return (
    <div class="hidden-text" role="log" aria-live="polite" aria-relevant="additions text">
      {news}
    </div>
  );
}

/** What makes a known piece news again. */
function toNewsState(entry: TranscriptView["entries"][number]): string {
  if (entry.kind === "call") return entry.state === "running" || entry.state === "ok" ? "" : entry.state;
  return entry.kind === "gate" ? entry.state : "";
}
