// What a person and his settings have to say before a run starts: the model, and whether donegate.yaml counts.
import type { ConfigFile, Driving, ModelChoice, RunEngine } from "./runEngine";
import type { RunWish, StartRefusal } from "./runs";
import type { Settings } from "./settings";
import { refuse } from "./startRefusals";

/** What a run needs from the person and his settings. */
export interface RunSurroundings {
  /** The open folders, as absolute paths. */
  folders(): readonly string[];
  /** False in Restricted Mode: then nothing runs. */
  isTrusted(): boolean;
  settings(): Settings;
  /** The model a new run talks to. */
  chooseModel(wish: RunWish): Promise<{ ok: true; model: ModelChoice } | StartRefusal>;
  /** The model a resumed run talks to. */
  chooseModelAgain(before: { model: string; endpoint: string; failed: boolean }): Promise<ModelChoice>;
  /** Asks at most once per text; the name of who accepted it, or null for no. */
  acceptConfig(root: string, file: ConfigFile): Promise<string | null>;
  /** A listener threw, or background work failed. */
  onError(error: unknown): void;
}

/** Nothing is started when the person does not want it, or the file is wrong. */
export async function startRun(
  engine: RunEngine,
  around: RunSurroundings,
  { id, root, wish }: { id: string; root: string; wish: RunWish },
): Promise<Driving> {
  const chosen = await around.chooseModel(wish);
  if (!chosen.ok) return chosen;
  const config = await readAcceptedConfig(engine, around, root);
  if (!config.ok) return config;
  const { contextWindow, maxAttempts, budget, edits, guardrails: userRules } = around.settings();
  const { goal, kind } = wish;
  return engine.start({
    ...{ id, goal, kind, root, contextWindow, maxAttempts, budget, edits, userRules },
    model: chosen.model,
    config: config.config,
  });
}

/** Null: the folder has none. A file that only restricts needs nobody's acceptance. */
export async function readAcceptedConfig(
  engine: RunEngine,
  around: RunSurroundings,
  root: string,
): Promise<{ ok: true; config: { file: ConfigFile; acceptedBy: string | null } | null } | StartRefusal> {
  const read = await engine.readConfig(root);
  if (!read.ok) return read;
  const { file } = read;
  if (file === null) return { ok: true, config: null };
  if (file.trusted.length === 0) return { ok: true, config: { file, acceptedBy: null } };
  const acceptedBy = await around.acceptConfig(root, file);
  if (acceptedBy === null) return refuse("not-accepted", `${file.path} was not accepted: nothing was run`);
  return { ok: true, config: { file, acceptedBy } };
}
