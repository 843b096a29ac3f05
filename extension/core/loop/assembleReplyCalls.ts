// Joins the fragments of tool calls. Servers differ in which of index, id and name they repeat or leave out;
// a fragment belongs to an open call unless something in it can only mean another call.
import type { CallIds, ReplyCall } from "./modelReply";
import { isWholeObject, parseArguments } from "./parseArguments";
import type { CallDelta } from "./parseChunk";

export interface OpenCall {
  index: number | null;
  id: string;
  name: string;
  argumentsText: string;
}

/** Adds a fragment to the call it belongs to, or opens a new one. */
export function addCallDelta(calls: OpenCall[], delta: CallDelta): void {
  const call = delta.index === null ? findWithoutIndex(calls, delta) : findByIndex(calls, delta, delta.index);
  if (call === undefined) calls.push({ ...delta });
  else continueCall(call, delta);
}

/** The calls in the order to run them. Entries that say nothing at all are left out. */
export function orderCalls(calls: readonly OpenCall[]): OpenCall[] {
  const real = calls.filter((call) => call.name !== "" || call.id !== "" || call.argumentsText.trim() !== "");
  const indexes = new Set(real.map((call) => call.index));
  if (indexes.has(null) || indexes.size < real.length) return real;
  return real.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
}

/** Gives every call its parsed arguments and an id that nothing else in the run has. */
export function toReplyCalls(
  calls: readonly OpenCall[],
  ids: CallIds,
  isLimitCut: boolean,
): { calls: ReplyCall[]; notes: string[] } {
  const notes: string[] = [];
  const taken = new Set<string>();
  const replyCalls = calls.map((call) => {
    const id = chooseId(call, ids, taken, notes);
    taken.add(id);
    // With the output limit reached, no arguments may mean that they were not written yet.
    if (isLimitCut && call.argumentsText.trim() === "") {
      const message = "the reply ended at the output limit before the arguments of this call; nothing was run";
      return { id, name: call.name, argumentsText: "{}", args: { ok: false as const, message } };
    }
    const { args, text, note } = parseArguments(call.argumentsText);
    if (note !== null) notes.push(`${call.name}: ${note}`);
    return { id, name: call.name, argumentsText: text, args };
  });
  return { calls: replyCalls, notes };
}

function chooseId(call: OpenCall, ids: CallIds, taken: ReadonlySet<string>, notes: string[]): string {
  const isFree = (id: string): boolean => id !== "" && !taken.has(id) && !ids.isUsed(id);
  if (isFree(call.id)) return call.id;
  notes.push(call.id === "" ? `${call.name}: the call had no id` : `${call.name}: the id ${call.id} was used before`);
  let id = ids.mint();
  while (!isFree(id)) id = ids.mint();
  return id;
}

function findByIndex(calls: readonly OpenCall[], delta: CallDelta, index: number): OpenCall | undefined {
  const holder = calls.findLast((call) => call.index === index);
  if (holder !== undefined) return opensAnother(holder, delta) ? undefined : holder;
  const isFragment = delta.id === "" && delta.name === "";
  return isFragment ? calls.findLast((call) => call.index === null) : undefined;
}

/** Some servers number every call 0; others give each fragment of one call a new id. */
function opensAnother(holder: OpenCall, delta: CallDelta): boolean {
  if (delta.name === "") return false;
  const isOtherName = delta.name !== holder.name;
  if (delta.id === "") return isOtherName && isWholeObject(holder.argumentsText);
  if (holder.id === "" || delta.id === holder.id) return false;
  return isOtherName || isWholeObject(holder.argumentsText);
}

function findWithoutIndex(calls: readonly OpenCall[], delta: CallDelta): OpenCall | undefined {
  const last = calls.at(-1);
  if (last === undefined || (delta.id === "" && delta.name === "")) return last;
  const hasArguments = delta.argumentsText.trim() !== "";
  if (delta.id !== "") {
    const same = calls.findLast((call) => call.id === delta.id);
    if (same === undefined) return delta.name === "" || last.name === "" ? last : undefined;
    return delta.name !== "" && hasArguments && isWholeObject(same.argumentsText) ? undefined : same;
  }
  if (last.name === "") return last;
  if (last.name !== delta.name) return undefined;
  return hasArguments && isWholeObject(last.argumentsText) ? undefined : last;
}

function continueCall(call: OpenCall, delta: CallDelta): void {
  call.index ??= delta.index;
  if (call.id === "") call.id = delta.id;
  // Sent again whole (or longer), it is the same name; a piece before any arguments continues it.
  if (delta.name.startsWith(call.name)) call.name = delta.name || call.name;
  else if (delta.name !== "" && delta.id === "" && call.argumentsText === "") call.name += delta.name;
  call.argumentsText += delta.argumentsText;
}
