import type { Receipt } from "./receipt";

/** A claim that the ledger or the workspace contradicts. */
export interface Contradiction {
  deliverable: string;
  action: string;
  /** The sentence that claims it. */
  said: string;
  /** What the ledger or the workspace says instead, and the receipt that is missing. */
  instead: string;
  missing: string;
  postcondition: Receipt["postcondition"];
  location?: string;
}

export function toUnbacked(found: Contradiction): Receipt {
  const said = found.said.trim().replace(/\s+/g, " ");
  const quoted = said.length > 160 ? `${said.slice(0, 159)}…` : said;
  return {
    deliverable: found.deliverable,
    action: found.action,
    evidence: `said "${quoted}", but ${found.instead}; missing receipt: ${found.missing}`,
    ledger_match: "no",
    postcondition: found.postcondition,
    durable_location: found.location ?? null,
    verdict: "UNBACKED",
  };
}
