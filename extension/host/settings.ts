// The settings, in one table: key, how it is read, default. A running task never reads them again.
import type { BudgetConfig } from "../core/config/donegateConfig";

export interface Settings {
  /** Null: nothing is set. */
  readonly modelName: string | null;
  readonly modelBaseUrl: string | null;
  /** The model's context in tokens; null: learnt from the server. */
  readonly contextWindow: number | null;
  readonly maxAttempts: number;
  readonly edits: "allow" | "ask";
  readonly budget: BudgetConfig;
  /** As given: who starts a run refuses what is no list of rules. Dropping it would drop its denials. */
  readonly guardrails: unknown;
}

interface Setting<T> {
  readonly default: T;
  /** Undefined: not a value of this setting. */
  parse(value: unknown): T | undefined;
}

const text: Setting<string> = {
  default: "",
  parse: (value) => (typeof value === "string" ? value.trim() : undefined),
};

/** A copy: what the editor hands out is tied to its configuration. */
const asGiven: Setting<unknown> = {
  default: [],
  parse: (value) => JSON.parse(JSON.stringify(value)) as unknown,
};

const limit: Setting<number | null> = {
  default: null,
  parse: (value) => (value === null || isCount(value) ? value : undefined),
};

/** As contributed in package.json; a test compares the two. */
export const settingsTable = {
  "donegate.model.name": text,
  "donegate.model.baseUrl": text,
  "donegate.model.contextWindow": {
    default: 0,
    parse: (value: unknown) => (value === 0 || isCount(value) ? value : undefined),
  } satisfies Setting<number>,
  "donegate.verify.maxAttempts": {
    default: 3,
    parse: (value: unknown) => (isCount(value) ? value : undefined),
  } satisfies Setting<number>,
  "donegate.edits": {
    default: "allow" as const,
    parse: (value: unknown) => (value === "allow" || value === "ask" ? value : undefined),
  } satisfies Setting<"allow" | "ask">,
  "donegate.guardrails": asGiven,
  "donegate.budget.maxTurns": limit,
  "donegate.budget.maxTokens": limit,
  "donegate.budget.maxToolCalls": limit,
  "donegate.budget.maxWallMs": limit,
};

export type SettingKey = keyof typeof settingsTable;

/** An invalid value counts as the default, and `onInvalid` hears of it. */
export function readSettings(read: (key: SettingKey) => unknown, onInvalid: (key: SettingKey) => void): Settings {
  const value = <K extends SettingKey>(key: K): (typeof settingsTable)[K]["default"] => {
    const setting = settingsTable[key];
    const given = read(key);
    const parsed = given === undefined ? setting.default : setting.parse(given);
    if (parsed === undefined) onInvalid(key);
    return parsed ?? setting.default;
  };
  return Object.freeze({
    modelName: value("donegate.model.name") || null,
    modelBaseUrl: value("donegate.model.baseUrl") || null,
    contextWindow: value("donegate.model.contextWindow") || null,
    maxAttempts: value("donegate.verify.maxAttempts"),
    edits: value("donegate.edits"),
    guardrails: value("donegate.guardrails"),
    budget: Object.freeze(
      toBudget({
        maxTurns: value("donegate.budget.maxTurns"),
        maxTokens: value("donegate.budget.maxTokens"),
        maxToolCalls: value("donegate.budget.maxToolCalls"),
        maxWallMs: value("donegate.budget.maxWallMs"),
      }),
    ),
  });
}

/** A limit that is absent does not limit. */
function toBudget(
  limits: Record<"maxTurns" | "maxTokens" | "maxToolCalls" | "maxWallMs", number | null>,
): BudgetConfig {
  return Object.fromEntries(Object.entries(limits).filter(([, most]) => most !== null));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
