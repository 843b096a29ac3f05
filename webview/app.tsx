// The page: head, plan, feed, composer.
import type { JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { HostRequest, SavedPage } from "../extension/protocol/webviewMessages";
import { Composer } from "./composer";
import { listenToHost, postToHost, readSavedPage, savePage } from "./editorHost";
import { Feed } from "./feed";
import { Head } from "./head";
import { PageContext, type Page, type Wish } from "./page";
import { ask, emptyPage, hear, isAsked, toPlace, type PageState } from "./pageState";
import { PlanStrip } from "./planStrip";
import { useFocusComing } from "./useFocusComing";

type Kept = Required<Omit<SavedPage, "run">>;

export function App(): JSX.Element {
  const [state, setState] = useState<PageState>(emptyPage);
  const newest = useRef(state);
  const update = useCallback((change: (before: PageState) => PageState) => {
    newest.current = change(newest.current);
    setState(newest.current);
  }, []);
  const [saved] = useState(readSavedPage);
  const kept = useRef<Kept>({
    scroll: saved?.scroll ?? null,
    draft: saved?.draft ?? "",
    filter: saved?.filter ?? "all",
  });
  const [filter, setFilter] = useState(kept.current.filter);
  const run = state.view?.run.id ?? null;

  useFocusComing();
  useEffect(() => {
    listenToHost((message) => update((before) => hear(before, message, Date.now())));
    postToHost({ type: "ready" });
  }, [update]);

  const keep = useCallback(
    (change: Partial<Kept>) => {
      kept.current = { ...kept.current, ...change };
      if (run !== null) savePage({ run, ...kept.current });
    },
    [run],
  );
  useEffect(() => keep({}), [keep]);

  const send = useCallback(
    (wish: Wish) => {
      const message: HostRequest = { ...wish, request: newest.current.nextRequest };
      // A second click while the first one has no answer is no second wish.
      if (isAsked(newest.current, toPlace(message))) return;
      update((before) => ask(before, message));
      postToHost(message);
    },
    [update],
  );

  const page = useMemo<Page>(() => toPage(state, send), [state, send]);
  if (state.gone !== null) return <p class="gone">{state.gone}</p>;
  if (state.view === null)
    return (
      <p class="gone" aria-busy="true">
        Loading the run…
      </p>
    );
  const { view } = state;
  return (
    <PageContext.Provider value={page}>
      <Head run={view.run} />
      <section class="bar" aria-label="Plan and filter">
        <PlanStrip items={view.plan} />
        <Filter
          filter={filter}
          onFilter={(chosen) => {
            setFilter(chosen);
            keep({ filter: chosen });
          }}
        />
      </section>
      <Feed view={view} filter={filter} scroll={kept.current.scroll} onScroll={(scroll) => keep({ scroll })} />
      <footer class="foot">
        <Composer run={view.run} draft={kept.current.draft} onDraft={(draft) => keep({ draft })} />
        <button
          type="button"
          class="link journal"
          title={view.run.journal}
          onClick={() => send({ type: "open", target: { what: "journal" } })}
        >
          <span class="quiet">Journal</span> <bdi>{view.run.journal}</bdi>
        </button>
      </footer>
    </PageContext.Provider>
  );
}

function toPage(state: PageState, send: (wish: Wish) => void): Page {
  return {
    ask: send,
    isAsked: (place) => isAsked(state, place),
    refusal: (place) => state.refusals[place] ?? null,
    served: (place) => state.served[place] ?? 0,
    now: () => Date.now() + state.clockOffsetMs,
    progress: state.view?.progress ?? {},
    runningCheck: state.view?.runningCheck ?? null,
  };
}

interface FilterProps {
  filter: Kept["filter"];
  onFilter: (filter: Kept["filter"]) => void;
}

function Filter({ filter, onFilter }: FilterProps): JSX.Element {
  const choices = [
    { value: "all", text: "All" },
    { value: "decisions", text: "Decisions" },
  ] as const;
  return (
    <div class="filter" role="group" aria-label="What is shown">
      {choices.map(({ value, text }) => (
        <button type="button" key={value} aria-pressed={filter === value} onClick={() => onFilter(value)}>
          {text}
        </button>
      ))}
    </div>
  );
}
