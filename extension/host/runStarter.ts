import type { AgentRun } from "../core/loop/run";

export interface RunWish {
  goal: string;
  /** Absolute path of the folder the run works on. */
  folder: string;
  /** Asked before anything runs when the folder's donegate.yaml would run or allow something; false is no. */
  acceptConfig(path: string, text: string): Promise<boolean>;
}

export type StartedRun =
  | { ok: true; run: AgentRun; journal: string; end(): Promise<unknown> }
  /** What a person can do about it is part of the message. */
  | { ok: false; message: string };

/** Starts runs; made by compose.ts, so that no host file knows an adapter. */
export interface RunStarter {
  start(wish: RunWish): Promise<StartedRun>;
}
