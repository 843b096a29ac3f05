import type { GuardedCall } from "./verdict";

/** A copy that nothing can change, so that what was judged is what was asked about. Throws for what cannot be copied. */
export function freezeCall(call: GuardedCall): GuardedCall {
  const copy = structuredClone(call);
  freezeDeep(copy);
  return copy;
}

function freezeDeep(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
}
