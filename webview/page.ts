// What every part of the page may do and know.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { TranscriptView } from "../extension/protocol/transcriptView";
import type { HostRequest } from "../extension/protocol/webviewMessages";

type WithoutRequest<T> = T extends unknown ? Omit<T, "request"> : never;

export type Wish = WithoutRequest<HostRequest>;

export interface Page {
  ask(wish: Wish): void;
  /** Something asked at this place has no answer yet. */
  isAsked(place: string): boolean;
  refusal(place: string): string | null;
  served(place: string): number;
  /** The host's clock, milliseconds since 1970. */
  now(): number;
  readonly progress: TranscriptView["progress"];
  readonly runningCheck: string | null;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("a part of the page was drawn outside the page");
  return page;
}
