// Success told over a call that was denied.
import type { ActionClaim } from "./actionClaims";
import { toUnbacked } from "./assertion";
import { findGenericClaims, type DeniedClaim } from "./genericClaims";
import { spell, type Sentence } from "./claimSentences";
import { argumentValues, callWords, environmentsOf, mentionedValues, toolWords } from "./callWords";
import { mayHaveHappened, nameCall, sameArgs, type LedgerCall, type LedgerDenial, type LedgerView } from "./ledgerView";
import type { Receipt } from "./receipt";

/** One receipt per denied call. */
export function auditDenials(
  sentences: readonly Sentence[],
  claims: readonly ActionClaim[],
  view: LedgerView,
): readonly Receipt[] {
  return view.denials.flatMap((denial) => {
    const said = [...outsideClaims(claims, denial), ...findGenericClaims(sentences, denial)];
    const claim = said.find((one) => contradicts(one, denial, view, sentences));
    return claim === undefined ? [] : [toReceipt(claim, denial)];
  });
}

function outsideClaims(claims: readonly ActionClaim[], denial: LedgerDenial): readonly DeniedClaim[] {
  const words = callWords(denial);
  return claims
    .filter(({ action, hasObject, clause, environments }) => {
      const concrete = hasObject || environments.size > 0 || mentionedValues(clause, denial).length > 0;
      return action.named.test(words) && concrete;
    })
    .map((claim) => ({ ...claim, fits: (call) => claim.action.named.test(callWords(call)) || call.tool === "task" }));
}

function contradicts(
  claim: DeniedClaim,
  denial: LedgerDenial,
  view: LedgerView,
  sentences: readonly Sentence[],
): boolean {
  const denied = environmentsOf(denial);
  const shared = [...claim.environments].filter((name) => denied.has(name));
  if (claim.environments.size > 0 && denied.size > 0 && shared.length === 0) return false;
  const wanted = denied.size > 0 ? shared : [...claim.environments];
  const mentioned = mentionedValues(claim.clause, denial).filter(
    (value) => environmentsOf({ args: { value } }).size === 0,
  );
  return !view.calls.some((call) => {
    if (!mayHaveHappened(call) || !claim.fits(call)) return false;
    const reached = environmentsOf(call);
    if (reached.size > 0 && !wanted.every((name) => reached.has(name))) return false;
    if (call.tool !== denial.tool) return true;
    const values = argumentValues(call);
    if (!mentioned.every((value) => values.includes(value))) return false;
    return !sameArgs(call.args, denial.args) || isLater(call, denial, view) || tellsDenial(sentences, denial);
  });
}

/** A call that is not in the list at all was settled before the list begins. */
function isLater(call: LedgerCall, denial: LedgerDenial, view: LedgerView): boolean {
  return view.calls.indexOf(call) > view.calls.findIndex(({ callId }) => callId === denial.callId);
}

/** The text itself tells that this call was denied, so "deployed" speaks of the one that ran before. */
function tellsDenial(sentences: readonly Sentence[], denial: LedgerDenial): boolean {
  const words = toolWords(denial.tool);
  return sentences.some((sentence) => {
    const full = spell(sentence).toLowerCase();
    return /\b(?:denied|refused|rejected|blocked|declined)\b/.test(full) && words.some((word) => full.includes(word));
  });
}

function toReceipt(claim: DeniedClaim, denial: LedgerDenial): Receipt {
  const call = nameCall(denial);
  return toUnbacked({
    deliverable: call,
    action: claim.verb,
    said: spell(claim.sentence),
    instead: `the call ${denial.callId} ${call} was denied: ${denial.reason}`,
    missing: `a later successful ${denial.tool} call with the same arguments`,
    postcondition: "unverifiable",
  });
}
