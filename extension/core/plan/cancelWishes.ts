// Items the agent wants to give up. One question lists them all, and its answer counts for exactly what it listed.
import type { Ledger, LedgerItem } from "./ledger";

export interface CancelWish {
  id: string;
  text: string;
  /** Empty when the agent gave none. */
  reason: string;
}

/** What a person has not been asked about with this reason. */
export function openCancelWishes(ledger: Ledger): readonly CancelWish[] {
  return ledger.items
    .filter((item) => item.status === "cancel requested" && item.cancelRefused !== true)
    .map(({ id, text, reason }) => ({ id, text, reason: reason ?? "" }));
}

/** The ledger after the answer: agreed, or they stay open. A wish that came later, or has another reason now, is none of these. */
export function answerCancelWishes(ledger: Ledger, shown: readonly CancelWish[], agreed: boolean): Ledger {
  const settle = (item: LedgerItem): LedgerItem =>
    agreed ? { ...item, status: "cancelled" } : { ...item, cancelRefused: true };
  const isShown = (item: LedgerItem): boolean =>
    shown.some(({ id, reason }) => id === item.id && reason === (item.reason ?? ""));
  const items = ledger.items.map((item) => (item.status === "cancel requested" && isShown(item) ? settle(item) : item));
  return { ...ledger, items };
}
