import type { Clock } from "../core/ports/clock";
import type { ModelClient } from "../core/ports/modelClient";
import { DemoModel } from "../node/demoModel";
import { OpenAiModel } from "../node/openAiModel";
import { refuse, type Refusal } from "./exitCodes";

const demoModelName = "demo";
const defaultBaseUrl = "https://api.openai.com/v1";

export interface ModelWish {
  /** From the command line; they win over everything. */
  name: string | null;
  baseUrl: string | null;
  env: Readonly<Record<string, string | undefined>>;
  /** What counts where neither command line nor variables say anything. */
  fallbackName: string | null;
}

export interface ChosenModel {
  ok: true;
  name: string;
  client: ModelClient;
}

/** The scripted model is offline: only an explicit `--base-url` makes `demo` the name of a model on a server. */
export function chooseModel({ name, baseUrl, env, fallbackName }: ModelWish, clock: Clock): ChosenModel | Refusal {
  const chosen = name ?? variable(env, "DONEGATE_MODEL") ?? fallbackName;
  if (chosen === null) {
    return refuse(
      "no model is chosen: give --model NAME or set DONEGATE_MODEL (`--model demo` plays the scripted demo, without network)",
    );
  }
  const isDemo = chosen === demoModelName && baseUrl === null;
  return {
    ok: true,
    name: chosen,
    client: isDemo ? new DemoModel({ clock }) : toClient(baseUrl ?? defaultUrl(env), env),
  };
}

/** A resume talks to the server of the journal unless the command line names another. */
export function chooseModelAgain(
  wish: Pick<ModelWish, "name" | "baseUrl" | "env">,
  before: { model: string; endpoint: string },
  clock: Clock,
): ChosenModel {
  const demo = new DemoModel({ clock });
  const name = wish.name ?? before.model;
  const isDemo =
    wish.baseUrl === null && (wish.name === null ? before.endpoint === demo.endpoint : name === demoModelName);
  if (isDemo) return { ok: true, name, client: demo };
  const endpoint = before.endpoint === demo.endpoint ? defaultUrl(wish.env) : before.endpoint;
  return { ok: true, name, client: toClient(wish.baseUrl ?? endpoint, wish.env) };
}

function defaultUrl(env: ModelWish["env"]): string {
  return variable(env, "DONEGATE_BASE_URL") ?? variable(env, "OPENAI_BASE_URL") ?? defaultBaseUrl;
}

function toClient(baseUrl: string, env: ModelWish["env"]): ModelClient {
  const apiKey = variable(env, "DONEGATE_API_KEY") ?? variable(env, "OPENAI_API_KEY");
  return new OpenAiModel({ baseUrl, apiKey });
}

/** Null when it is not set or empty. */
function variable(env: ModelWish["env"], name: string): string | null {
  const value = env[name]?.trim() ?? "";
  return value === "" ? null : value;
}
