import type { WorkspaceFiles } from "./workspaceFiles";

/** The editors a person has open beside the run. A run without an editor has none. */
export interface OpenEditors {
  /**
   * The workspace's files as that person sees them: what is open with unsaved changes is read and changed in its editor, and
   * then saved, so that a change which was journaled is on the disk. What cannot be changed there without a loss is
   * refused with `unsaved`.
   */
  files: WorkspaceFiles;
  /**
   * Right before a check: saves the editors this run changed, and answers the names of all that stays unsaved, since no check
   * sees it. Never rejects.
   */
  settle(): Promise<readonly string[]>;
}
