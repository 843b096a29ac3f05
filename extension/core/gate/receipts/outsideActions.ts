// Outside actions told as done by this run although no call could have done them.
import type { ActionClaim } from "./actionClaims";
import { toUnbacked } from "./assertion";
import { environmentsOf, mayDo } from "./callWords";
import { spell } from "./claimSentences";
import type { LedgerView } from "./ledgerView";
import type { Receipt } from "./receipt";

/** One receipt per action. Claims over denied calls have their own. */
export function auditOutsideActions(claims: readonly ActionClaim[], view: LedgerView): readonly Receipt[] {
  const sure = claims.filter(({ wording, hasObject }) => wording === "deed" && hasObject);
  const found = new Map<string, Receipt>();
  for (const claim of sure) {
    if (found.has(claim.action.name) || isPossible(claim, view)) continue;
    found.set(claim.action.name, toReceipt(claim));
  }
  return [...found.values()];
}

/** Every environment the clause names needs a call that may have reached it. */
function isPossible(claim: ActionClaim, view: LedgerView): boolean {
  const able = view.calls.filter((call) => mayDo(claim.action, call)).map(environmentsOf);
  const environments = [...claim.environments];
  if (environments.length === 0) return able.length > 0;
  return environments.every((name) => able.some((reached) => reached.size === 0 || reached.has(name)));
}

function toReceipt({ action, sentence, verb, environments }: ActionClaim): Receipt {
  const target = [...environments].join(", ");
  return toUnbacked({
    deliverable: target === "" ? action.name : `${action.name} (${target})`,
    action: verb,
    said: spell(sentence),
    instead: "no call of this run that succeeded could have done it",
    missing: `a successful call that does ${action.name}${target === "" ? "" : ` to ${target}`}`,
    postcondition: "unverifiable",
  });
}
