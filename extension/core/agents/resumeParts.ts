// What a resume finds out about a run from its journal alone.
import type { DonegateConfig } from "../config/donegateConfig";
import { parseConfig } from "../config/parseConfig";
import type { RunSpec } from "../journal/event";
import type { RunState } from "../journal/runState";
import type { Hasher } from "../ports/hasher";
import type { Snapshots } from "../ports/snapshots";

/** The configuration a run was started with; null when it had none, or nobody had accepted it. */
export function acceptedConfig(spec: RunSpec, hasher: Hasher): DonegateConfig | null {
  if (spec.config === null || spec.config.acceptedBy === null) return null;
  const parsed = parseConfig(spec.config.text, hasher.sha256(spec.config.text));
  return parsed.ok ? parsed.config : null;
}

/** Null: nothing was verified, so nothing can have changed since. An unreadable workspace is not known to be unchanged. */
export async function isStale(state: RunState, snapshots: Snapshots): Promise<boolean | null> {
  const judged = state.lastVerification;
  if (state.end?.status !== "done" || judged?.passed !== true) return null;
  const picture = await snapshots.take(new AbortController().signal);
  return !picture.ok || picture.tree !== (judged.treeAfter ?? judged.tree);
}
