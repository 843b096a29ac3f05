/** Proof that a claimed thing happened (ledger) and still holds (read back now). */
export interface Receipt {
  deliverable: string;
  action: string;
  evidence: string;
  ledger_match: "yes" | "no";
  postcondition: "pass" | "fail" | "unverifiable";
  durable_location: string | null;
  verdict: "BACKED" | "UNBACKED" | "UNVERIFIABLE";
}
