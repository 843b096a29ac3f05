// What the page knows: the newest picture, and what it asked of the host. Pure, so that its order can be tested.
import type { TranscriptView } from "../extension/protocol/transcriptView";
import type { HostRequest, ToWebview, ToWebviewHandlers } from "../extension/protocol/webviewMessages";

export interface PageState {
  view: TranscriptView | null;
  version: number;
  /** Add to the page's clock to get the host's, in milliseconds. */
  clockOffsetMs: number;
  /** Why there is nothing to show. */
  gone: string | null;
  nextRequest: number;
  /** What waits for the host's answer: the place in the page by request. */
  asked: Readonly<Record<number, string>>;
  /** Why the host did not do it, by place. */
  refusals: Readonly<Record<string, string>>;
  /** How often something asked at a place was done. */
  served: Readonly<Record<string, number>>;
}

export const emptyPage: PageState = {
  view: null,
  version: 0,
  clockOffsetMs: 0,
  gone: null,
  nextRequest: 1,
  asked: {},
  refusals: {},
  served: {},
};

/** Where in the page something was asked for: refusals are shown there. */
export function toPlace(message: HostRequest): string {
  switch (message.type) {
    case "approve":
    case "deny":
    case "answer":
    case "review":
      return `approval:${message.id}`;
    case "open":
      return message.target.what === "output" ? `call:${message.target.callId}` : "page";
    case "steer":
      return "composer";
    case "stop":
    case "resume":
    case "showEarlier":
      return "page";
  }
}

export const isAsked = ({ asked }: PageState, place: string): boolean => Object.values(asked).includes(place);

export function ask(state: PageState, message: HostRequest): PageState {
  const place = toPlace(message);
  const { [place]: _old, ...refusals } = state.refusals;
  return {
    ...state,
    nextRequest: Math.max(state.nextRequest, message.request + 1),
    asked: { ...state.asked, [message.request]: place },
    refusals,
  };
}

/** `now` is the page's clock, milliseconds since 1970. */
export function hear(state: PageState, message: ToWebview, now: number): PageState {
  const handlers: ToWebviewHandlers<PageState> = {
    snapshot: ({ view, version, now: hostNow }) => ({
      ...state,
      ...{ view, version },
      clockOffsetMs: hostNow - now,
      gone: null,
    }),
    delta: ({ version, turn, at, text }) => {
      const live = state.view?.live ?? null;
      // Late or early: the next picture has it all.
      if (state.view === null || live === null || version !== state.version) return state;
      if (live.turn !== turn || live.text.length !== at) return state;
      return { ...state, view: { ...state.view, live: { ...live, text: live.text + text } } };
    },
    progress: ({ version, progress, runningCheck }) =>
      state.view === null || version !== state.version
        ? state
        : { ...state, view: { ...state.view, progress, runningCheck } },
    answered: ({ request, refusal }) => {
      const { [request]: place, ...asked } = state.asked;
      if (place === undefined) return state;
      if (refusal !== null) return { ...state, asked, refusals: { ...state.refusals, [place]: refusal } };
      return { ...state, asked, served: { ...state.served, [place]: (state.served[place] ?? 0) + 1 } };
    },
    gone: ({ message: why }) => ({ ...state, view: null, gone: why }),
  };
  return (handlers[message.type] as (value: ToWebview) => PageState)(message);
}
