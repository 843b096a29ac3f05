import type { Envelope } from "./envelope";
import type { Event, EventType } from "./event";
import type { RunState } from "./runState";

/** What one type of event makes of the state. Pure; the clock has been advanced before. */
export type Fold<K extends EventType> = (state: RunState, event: Event<K> & Pick<Envelope, "redacted">) => RunState;
export type Folds<K extends EventType> = { [T in K]: Fold<T> };
