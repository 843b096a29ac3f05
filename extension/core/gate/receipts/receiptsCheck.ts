import type { Receipt } from "./receipt";

/** Only BACKED passes; what could not be verified does not. The reason names each assertion and the missing receipt. */
export function receiptsCheck(receipts: readonly Receipt[]): { verdict: "pass" | "fail"; reason: string } {
  const open = receipts.filter(({ verdict }) => verdict !== "BACKED");
  if (open.length === 0) return { verdict: "pass", reason: "" };
  const lines = open.map(({ verdict, deliverable, action, evidence }) => {
    const word = verdict === "UNBACKED" ? "not backed" : "cannot be verified";
    return `${word}: ${deliverable} ${action} (${evidence})`;
  });
  return { verdict: "fail", reason: lines.join("\n") };
}
