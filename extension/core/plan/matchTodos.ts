import type { Ledger, LedgerItem } from "./ledger";
import { openItems } from "./ledger";
import type { TodoEntry } from "./todoEntry";

export interface MatchedEntry {
  entry: TodoEntry;
  /** Null: a new item. */
  item: LedgerItem | null;
}

export type Matching = { ok: true; matches: readonly MatchedEntry[] } | { ok: false; message: string };

/** Finds which item each entry means: by id, else by exact text, open items first. An entry that leaves doubt refuses all. */
export function matchTodos(ledger: Ledger, entries: readonly TodoEntry[]): Matching {
  const matches = entries.map((entry) => ({ entry, item: findItem(ledger, entry) }));
  const problem = findRenamed(matches) ?? findSameId(entries) ?? findSameItem(matches);
  return problem === null ? { ok: true, matches } : { ok: false, message: problem };
}

function findItem(ledger: Ledger, entry: TodoEntry): LedgerItem | null {
  const byId = ledger.items.find((item) => item.id === entry.id);
  const byText = (items: readonly LedgerItem[]) => items.find((item) => item.text === entry.text);
  return byId ?? byText(openItems(ledger)) ?? byText(ledger.items) ?? null;
}

function findRenamed(matches: readonly MatchedEntry[]): string | null {
  const renamed = matches.find(({ entry, item }) => item !== null && item.text !== entry.text)?.item ?? null;
  if (renamed === null) return null;
  return `${renamed.id} is ${JSON.stringify(renamed.text)} and cannot become another item: give its exact text, or leave out the id for a new item`;
}

function findSameId(entries: readonly TodoEntry[]): string | null {
  const ids = entries.flatMap((entry) => entry.id ?? []);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice === undefined ? null : `two entries have the id ${JSON.stringify(twice)}: give each item once`;
}

function findSameItem(matches: readonly MatchedEntry[]): string | null {
  const keys = matches.map(({ entry, item }) => item?.id ?? `new ${entry.text}`);
  const index = keys.findIndex((key, at) => keys.indexOf(key) !== at);
  const twice = matches[index];
  if (twice === undefined) return null;
  const which = twice.item === null ? "the same new item" : twice.item.id;
  return `two entries mean ${which} (${JSON.stringify(twice.entry.text)}): give each item once`;
}
