import type { Ledger, LedgerItem } from "./ledger";

/** All lines together stay within this; long texts are cut before an item is left out. */
const maxCharacters = 14_000;

/** The whole ledger for the model, one line an item: `T1 [in_progress] text`. */
export function renderLedger(ledger: Ledger): string {
  if (ledger.items.length === 0) return "The plan is empty.";
  const lines = ledger.items.map(renderItem);
  const whole = lines.join("\n");
  if (whole.length <= maxCharacters) return whole;
  const share = Math.max(20, Math.floor(maxCharacters / lines.length) - 1);
  return lines.map((line) => (line.length <= share ? line : `${line.slice(0, share - 1)}…`)).join("\n");
}

function renderItem(item: LedgerItem): string {
  return `${item.id} [${describeStatus(item)}] ${fold(item.text)}`;
}

function describeStatus(item: LedgerItem): string {
  const refused = item.cancelRefused === true ? ", cancellation refused" : "";
  if (item.status !== "cancel requested") return `${item.status}${refused}`;
  return `cancel requested${refused}${item.reason === undefined ? "" : `: ${fold(item.reason)}`}`;
}

function fold(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
