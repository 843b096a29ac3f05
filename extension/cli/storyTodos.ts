import type { LedgerItem } from "../core/plan/ledger";
import { escapeShort } from "./escapeText";
import { good, plain, quiet, type StoryLine } from "./storyLine";

const mostItems = 20;

/** What the agent ticked is "claimed"; only what the gate confirmed is "verified". */
export function tellTodos(items: readonly LedgerItem[]): readonly StoryLine[] {
  const lines = items.slice(0, mostItems).map(tellItem);
  return items.length > mostItems ? [...lines, quiet(`    (${items.length - mostItems} more items)`)] : lines;
}

function tellItem(item: LedgerItem): StoryLine {
  const text = `    ${item.id} ${markOf(item).padEnd(11)} ${escapeShort(item.text, 120)}`;
  return item.verified ? good(text) : item.status === "cancelled" ? quiet(text) : plain(text);
}

function markOf({ status, verified }: LedgerItem): string {
  if (verified) return "[verified]";
  switch (status) {
    case "pending":
      return "[ ]";
    case "in_progress":
      return "[>]";
    case "completed":
      return "[claimed]";
    case "cancelled":
      return "[cancelled]";
    default:
      return "[cancel?]";
  }
}
