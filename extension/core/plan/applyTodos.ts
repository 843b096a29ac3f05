import * as z from "zod";
import { describeProblems } from "../tools/argumentProblems";
import type { Ledger, LedgerItem } from "./ledger";
import { matchTodos } from "./matchTodos";
import type { TodoEntry } from "./todoEntry";
import { todosArgument } from "./todoEntry";

/** An item is never taken out of a plan, so this bounds what one run can declare. */
const maxItems = 500;

export type AppliedTodos =
  | { ok: true; ledger: Ledger; notes: readonly string[] }
  /** Nothing was changed; the message says why and what is expected. */
  | { ok: false; message: string };

/** What a `todowrite` call makes of the plan. `todos` is the model's own and may be anything. */
export function applyTodos(ledger: Ledger, todos: unknown): AppliedTodos {
  const argument = { todos };
  const parsed = callSchema.safeParse(argument);
  if (!parsed.success) return refuse(describeProblems(parsed.error, argument, callSchema));
  const matching = matchTodos(ledger, parsed.data.todos);
  if (!matching.ok) return refuse(matching.message);
  const created = matching.matches.filter(({ item }) => item === null).length;
  if (ledger.items.length + created > maxItems) {
    return refuse(`a plan holds at most ${maxItems} items, and this one has ${ledger.items.length}`);
  }
  if (matching.matches.length === 0) return { ok: true, ledger, notes: ["an empty list changes nothing"] };

  const steps = matching.matches.map(({ entry, item }, index) => {
    const before = matching.matches.slice(0, index).filter((earlier) => earlier.item === null).length;
    return applyEntry(item ?? newItem(ledger.nextId + before, entry), entry);
  });
  const changed = new Map(steps.map(({ item }) => [item.id, item]));
  const kept = ledger.items.map((item) => changed.get(item.id) ?? item);
  const added = steps.map(({ item }) => item).filter((item) => !ledger.items.some((known) => known.id === item.id));
  return {
    ok: true,
    ledger: { items: [...kept, ...added], nextId: ledger.nextId + created },
    notes: steps.flatMap(({ notes }) => notes),
  };
}

const callSchema = z.strictObject({ todos: todosArgument });

function refuse(message: string): AppliedTodos {
  return { ok: false, message: `${message}. Nothing was changed.` };
}

function newItem(number: number, entry: TodoEntry): LedgerItem {
  return { id: `T${number}`, text: entry.text, status: "pending", verified: false };
}

interface Step {
  item: LedgerItem;
  notes: readonly string[];
}

function applyEntry(item: LedgerItem, entry: TodoEntry): Step {
  const step = entry.status === "cancelled" ? requestCancel(item, entry) : setStatus(item, entry.status);
  const ignored = entry.id !== undefined && entry.id !== item.id;
  const note = `the id ${JSON.stringify(entry.id)} is not one of this plan's and was ignored: the item is ${item.id}`;
  return { item: step.item, notes: [...(ignored ? [note] : []), ...step.notes] };
}

/** A refusal is remembered while the item lives: the same reason is not put to the person twice. */
function setStatus(item: LedgerItem, status: Exclude<TodoEntry["status"], "cancelled">): Step {
  const { reason, cancelRefused, ...rest } = item;
  const refusal = cancelRefused === true ? { cancelRefused, ...(reason === undefined ? {} : { reason }) } : {};
  return { item: { ...rest, ...refusal, status, verified: item.verified && status === "completed" }, notes: [] };
}

function requestCancel(item: LedgerItem, entry: TodoEntry): Step {
  if (item.status === "cancelled") return { item, notes: [] };
  const reason = entry.reason ?? item.reason;
  if (item.cancelRefused === true && foldReason(reason) === foldReason(item.reason)) {
    return {
      item: reopen(item),
      notes: [`${item.id} stays open: a person refused this cancellation; do it, or give another reason`],
    };
  }
  const { reason: _reason, cancelRefused: _refused, ...rest } = item;
  return {
    item: { ...rest, ...(reason === undefined ? {} : { reason }), status: "cancel requested", verified: false },
    notes: [`${item.id} stays open until a person agrees to cancel it`],
  };
}

/** Cancelling is no claim that it was done, so a ticked item opens again. */
function reopen(item: LedgerItem): LedgerItem {
  return item.status === "completed" ? { ...item, status: "pending", verified: false } : item;
}

function foldReason(reason: string | undefined): string {
  return (reason ?? "").trim().replace(/\s+/g, " ").toLowerCase();
}
