// The plan ledger: what the agent declared with todowrite, kept by the harness.
// The agent can tick an item (claimed); only the gate confirms it (verified).

export type ItemStatus = "pending" | "in_progress" | "completed" | "cancel requested" | "cancelled";

export interface LedgerItem {
  /** `T1`, `T2`, … given by the harness. */
  id: string;
  text: string;
  status: ItemStatus;
  /** The agent's reason for a cancellation. */
  reason?: string;
  /** A person refused the cancellation; the item stays open and is not asked about again with the same reason. */
  cancelRefused?: boolean;
  /** Confirmed by the gate. */
  verified: boolean;
}

export interface Ledger {
  items: readonly LedgerItem[];
  /** Number of the next id. */
  nextId: number;
}

export const emptyLedger: Ledger = { items: [], nextId: 1 };

/** Open: not completed and not cancelled by a person. */
export function openItems(ledger: Ledger): readonly LedgerItem[] {
  return ledger.items.filter((item) => item.status !== "completed" && item.status !== "cancelled");
}
