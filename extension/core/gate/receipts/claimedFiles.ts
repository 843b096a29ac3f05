// File claims against the workspace: a created file that is not there, a deleted one that still is, an edit that was denied.
import { toUnbacked } from "./assertion";
import { namesFile } from "./claimPath";
import type { Sentence } from "./claimSentences";
import { findFileClaims, quoteClaim, saysGone, type FileClaim } from "./fileClaims";
import { mayHaveHappened, nameCall, type LedgerCall, type LedgerDenial, type LedgerView } from "./ledgerView";
import type { Receipt } from "./receipt";

export interface ClaimFacts {
  /**
   * Is there a file of this name now? Asked only for `claimedPaths(finalText)`, with the path as the text wrote it, which may
   * leave folders out: true when `namesFile(path, file, root)` holds for any file of the workspace.
   */
  exists(path: string): boolean;
}

/** One receipt per file. */
export function auditFiles(sentences: readonly Sentence[], view: LedgerView, facts: ClaimFacts): readonly Receipt[] {
  const found = new Map<string, Receipt>();
  for (const claim of findFileClaims(sentences)) {
    if (found.has(claim.path)) continue;
    const receipt = auditFile(claim, sentences, view, facts);
    if (receipt !== null) found.set(claim.path, receipt);
  }
  return [...found.values()];
}

function auditFile(
  claim: FileClaim,
  sentences: readonly Sentence[],
  view: LedgerView,
  facts: ClaimFacts,
): Receipt | null {
  const there = facts.exists(claim.path);
  if (claim.expects === "absent") return there && !mayBeDeleted(claim, view) ? stillThere(claim) : null;
  if (there) return deniedEdit(claim, view);
  const nested = view.touched.some((file) => file !== claim.path && namesFile(claim.path, file));
  return nested || saysGone(claim, sentences) ? null : notThere(claim);
}

/**
 * Another file of the same name can remain, so "exists" alone contradicts no deletion that the ledger holds. It does when
 * the ledger holds none, or when the run wrote the file again afterwards.
 */
function mayBeDeleted(claim: FileClaim, view: LedgerView): boolean {
  const happened = view.calls.filter(mayHaveHappened);
  const last = happened.filter((call) => fileTools.has(call.tool) && names(call, claim)).at(-1);
  if (last !== undefined) return last.tool === "delete_file" || last.tool === "move_file";
  const removed = happened.some((call) => commandNames(call, claim.path) && removes.test(commandOf(call)));
  return removed || view.touched.some((file) => namesFile(claim.path, file));
}

const removes = /\brm\b|\bdel|unlink|remove|clean/i;

function names(call: LedgerCall, claim: FileClaim): boolean {
  return pathsOf(call).some((path) => samePath(claim.path, path));
}

/** Said to be changed, but the call that should have changed it was denied and nothing else touched it. */
function deniedEdit(claim: FileClaim, view: LedgerView): Receipt | null {
  const denial = view.denials.find(
    (denied) => fileTools.has(denied.tool) && pathsOf(denied).some((path) => samePath(claim.path, path)),
  );
  if (denial === undefined || view.touched.some((file) => samePath(claim.path, file))) return null;
  const otherWay = view.calls.filter(mayHaveHappened).some((call) => {
    return (
      (fileTools.has(call.tool) && pathsOf(call).some((path) => samePath(claim.path, path))) ||
      commandNames(call, claim.path)
    );
  });
  return otherWay ? null : overDenial(claim, denial);
}

const fileTools = new Set(["edit_file", "write_file", "delete_file", "move_file"]);

function samePath(claimed: string, path: string): boolean {
  return namesFile(claimed, path) || namesFile(path, claimed);
}

function pathsOf(call: { args: LedgerCall["args"] }): readonly string[] {
  const values = Object.entries(call.args ?? {}).filter(([key]) => key === "path" || key === "to");
  return values.flatMap(([, value]) => (typeof value === "string" ? [value.replace(/^(?:\.\/)+/, "")] : []));
}

function commandOf(call: LedgerCall): string {
  const command = call.args?.["command"];
  return typeof command === "string" ? command : "";
}

function commandNames(call: LedgerCall, path: string): boolean {
  return commandOf(call).includes(path.slice(path.lastIndexOf("/") + 1));
}

function notThere(claim: FileClaim): Receipt {
  return toUnbacked({
    deliverable: claim.path,
    action: claim.verb,
    said: quoteClaim(claim),
    instead: `${claim.path} does not exist`,
    missing: `the file ${claim.path}`,
    postcondition: "fail",
  });
}

function stillThere(claim: FileClaim): Receipt {
  return toUnbacked({
    deliverable: claim.path,
    action: claim.verb,
    said: quoteClaim(claim),
    instead: `${claim.path} still exists`,
    missing: `a successful deletion of ${claim.path}`,
    postcondition: "fail",
    location: claim.path,
  });
}

function overDenial(claim: FileClaim, denial: LedgerDenial): Receipt {
  return toUnbacked({
    deliverable: claim.path,
    action: claim.verb,
    said: quoteClaim(claim),
    instead: `the call ${denial.callId} ${nameCall(denial)} was denied: ${denial.reason}`,
    missing: `a successful change of ${claim.path} in this run`,
    postcondition: "fail",
    location: claim.path,
  });
}
