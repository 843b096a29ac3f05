export interface ShowOptions {
  /** Only for what a person has just asked for: else the focus stays where it is. */
  takesFocus: boolean;
}
