import type { Hasher } from "../ports/hasher";
import { notStarted } from "../ports/notStarted";
import type { ToolPorts } from "../tools/toolPorts";

const reason = "this run has no workspace";
const failed = { ok: false as const, code: "failed" as const, message: reason };

/** Ports of a run without a workspace: every answer is a plain failure. */
export function unavailableToolPorts(hasher: Hasher): ToolPorts {
  return {
    hasher,
    isHidden: () => true,
    runChecks: () => Promise.resolve(null),
    files: {
      read: () => Promise.resolve(failed),
      scan: () => Promise.resolve(failed),
      write: () => Promise.resolve(failed),
      delete: () => Promise.resolve(failed),
      move: () => Promise.resolve(failed),
      list: () => Promise.resolve(failed),
    },
    search: { search: () => Promise.resolve({ ok: false, message: reason }) },
    commands: {
      run: () => Promise.resolve(notStarted(reason)),
      endLeftOvers: () => Promise.resolve([]),
      which: () => Promise.resolve(null),
    },
  };
}
