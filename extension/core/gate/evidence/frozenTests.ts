/** The tests of one check before the first edit. */
export interface FrozenTests {
  /** Ids that ran (passed or failed) before the first edit. */
  ran: readonly string[];
  /** Ids of those that failed. */
  red: readonly string[];
}

export interface BaselineOfCheck {
  name: string;
  /** Null: nothing is known, and `why` says why. */
  tests: FrozenTests | null;
  why: string;
}
