// Which model a run talks to: settings first, then the environment. The demo model is chosen by its name alone.
import type { ModelChoice } from "./runEngine";
import type { StartRefusal } from "./runs";
import type { Settings } from "./settings";

export const demoModelName = "demo";
export const demoEndpoint = "scripted demo model (offline)";
const defaultBaseUrl = "https://api.openai.com/v1";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ModelSources {
  settings: Pick<Settings, "modelName" | "modelBaseUrl">;
  env: Environment;
  /** The key kept for a base URL; null when there is none. */
  keyFor: (baseUrl: string) => Promise<string | null>;
}

export async function chooseModel(sources: ModelSources): Promise<{ ok: true; model: ModelChoice } | StartRefusal> {
  const name = chosenName(sources);
  if (name === null) {
    const message = "no model is chosen yet: choose one, or the scripted demo model, which needs no network";
    return { ok: false, code: "model", message };
  }
  const baseUrl = isDemo(sources) ? null : chosenBaseUrl(sources);
  if (baseUrl === null) return { ok: true, model: { name, baseUrl, apiKey: null } };
  const apiKey = await findKey(baseUrl, sources);
  if (apiKey !== null || isOnThisMachine(baseUrl)) return { ok: true, model: { name, baseUrl, apiKey } };
  const message = `there is no API key for ${baseUrl}: set one (a server that needs none takes any value)`;
  return { ok: false, code: "key", message };
}

/** As it was, unless the model is what failed and the person has chosen another one since. */
export async function chooseModelAgain(
  before: { model: string; endpoint: string; failed: boolean },
  sources: ModelSources,
): Promise<ModelChoice> {
  const chosen = before.failed ? await chooseModel(sources) : null;
  if (chosen?.ok === true) return chosen.model;
  if (before.endpoint === demoEndpoint) return { name: before.model, baseUrl: null, apiKey: null };
  return { name: before.model, baseUrl: before.endpoint, apiKey: await findKey(before.endpoint, sources) };
}

/** In the editor this name always means the scripted model. */
export function isDemo(sources: Pick<ModelSources, "settings" | "env">): boolean {
  return chosenName(sources) === demoModelName;
}

export function chosenName({ settings, env }: Pick<ModelSources, "settings" | "env">): string | null {
  return settings.modelName ?? variable(env, "DONEGATE_MODEL");
}

export function chosenBaseUrl({ settings, env }: Pick<ModelSources, "settings" | "env">): string {
  return (
    settings.modelBaseUrl ?? variable(env, "DONEGATE_BASE_URL") ?? variable(env, "OPENAI_BASE_URL") ?? defaultBaseUrl
  );
}

async function findKey(baseUrl: string, { env, keyFor }: ModelSources): Promise<string | null> {
  return (await keyFor(baseUrl)) ?? variable(env, "DONEGATE_API_KEY") ?? variable(env, "OPENAI_API_KEY");
}

/** Null: usable. */
export function problemOfBaseUrl(text: string): string | null {
  if (!URL.canParse(text)) return "this is not an address: write it like http://localhost:8080/v1";
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return "the address has to begin with http:// or https://";
  if (url.username !== "" || url.password !== "") return "the address may not hold a user name or password: set a key";
  return null;
}

function isOnThisMachine(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Null when it is not set or empty. */
function variable(env: Environment, name: string): string | null {
  const value = env[name]?.trim() ?? "";
  return value === "" ? null : value;
}
