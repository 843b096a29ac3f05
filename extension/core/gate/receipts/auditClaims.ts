// The deterministic auditor: holds the claims of a final text against the ledger and the workspace. A text can only
// contradict, it proves nothing: no claim gives a BACKED receipt, and a sentence that leaves a doubt is no claim.
import { findActionClaims } from "./actionClaims";
import { auditFiles, type ClaimFacts } from "./claimedFiles";
import { toSentences } from "./claimSentences";
import { auditTests } from "./claimedTests";
import { auditDenials } from "./deniedActions";
import { findFileClaims } from "./fileClaims";
import type { LedgerView } from "./ledgerView";
import { auditOutsideActions } from "./outsideActions";
import type { Receipt } from "./receipt";

export interface ClaimAudit {
  /** For assertions about the answer; text claims do not need it. */
  goal: string;
  finalText: string;
  ledgerView: LedgerView;
  facts: ClaimFacts;
}

/** Receipts for contradicted claims only, each UNBACKED with its evidence. No receipt says nothing about the text. */
export function auditClaims({ finalText, ledgerView, facts }: ClaimAudit): Receipt[] {
  const sentences = toSentences(finalText);
  const actions = findActionClaims(sentences);
  const denied = auditDenials(sentences, actions, ledgerView);
  const told = new Set(denied.map(({ action }) => action.toLowerCase()));
  const outside = auditOutsideActions(actions, ledgerView).filter(({ action }) => !told.has(action.toLowerCase()));
  return [
    ...denied,
    ...outside,
    ...auditFiles(sentences, ledgerView, facts),
    ...auditTests(sentences, ledgerView.checks),
  ];
}

/** The paths the text makes a claim about, as written; look these up before the audit. */
export function claimedPaths(finalText: string): string[] {
  return [...new Set(findFileClaims(toSentences(finalText)).map(({ path }) => path))];
}
