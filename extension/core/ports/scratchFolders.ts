/** A new, empty folder that belongs to one execution of a check. */
export interface ScratchFolder {
  /** Absolute, `/` between segments. */
  readonly path: string;
  /** `name` may name folders in it. */
  put(name: string, text: string): Promise<void>;
  /** Makes `name` stand for an existing folder elsewhere; what is written below it is written there. */
  link(name: string, target: string): Promise<void>;
  /** Every file in it, `work` and folders of caches left out; a file over 64 MB is left out, too. */
  read(): Promise<readonly { name: string; text: string }[]>;
  /** Removes it with everything in it. Never rejects. */
  remove(): Promise<void>;
}

/** Makes folders outside every workspace, under names that nobody can know beforehand. */
export interface ScratchFolders {
  /** Rejects when none can be made (a full disk): nothing was checked then. */
  create(): Promise<ScratchFolder>;
}
