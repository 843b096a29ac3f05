// The one place that constructs adapters and engine for the editor. Loaded with the first command, not at activation.
import { realpath } from "node:fs/promises";
import { mainAgent } from "./core/agents/agentDefinition";
import { startWorkspaceRun } from "./core/agents/workspaceRun";
import { DemoModel } from "./node/demoModel";
import { readConfigFile } from "./node/configFile";
import { OpenAiModel } from "./node/openAiModel";
import { createBasics, createRunPorts, defaultJournalPath, openJournal } from "./node/runPorts";
import type { RunStarter, RunWish, StartedRun } from "./host/runStarter";

const defaultMaxAttempts = 3;

export function composeRunStarter(env: NodeJS.ProcessEnv = process.env): RunStarter {
  return { start: (wish) => start(wish, env) };
}

async function start(wish: RunWish, env: NodeJS.ProcessEnv): Promise<StartedRun> {
  const basics = createBasics();
  const root = await realpath(wish.folder);
  const config = await readConfigFile({ root, named: null, cwd: root }, basics.hasher);
  if (!config.ok) return config;
  const { file } = config;
  const accepted = file !== null && (await wish.acceptConfig(file.path, file.text));
  if (file !== null && !accepted) return { ok: false, message: `${file.path} was not accepted: nothing was run` };
  const run = basics.ids.runId();
  const journal = await openJournal(defaultJournalPath(root, run));
  if (!journal.ok) return journal;
  const name = env["DONEGATE_MODEL"] ?? "demo";
  const model = name === "demo" ? new DemoModel({ clock: basics.clock }) : toServer(env);
  const composed = createRunPorts({
    ...{ basics, root, env, model, journal: journal.store, run },
    config: file?.config ?? null,
  });
  const opened = startWorkspaceRun(
    {
      goal: wish.goal,
      kind: "auto",
      kindSource: "default",
      root,
      agent: mainAgent,
      modelName: name,
      config: file === null ? null : { path: file.path, text: file.text, acceptedBy: "person in the editor" },
      onAsk: "wait",
      allowContractChange: [],
      maxAttempts: defaultMaxAttempts,
      budget: {},
    },
    composed.ports,
  );
  if (opened.ok)
    return { ok: true, run: opened.run, journal: composed.ports.journal.location, end: () => composed.end() };
  await composed.end();
  return opened;
}

function toServer(env: NodeJS.ProcessEnv): OpenAiModel {
  const baseUrl = env["DONEGATE_BASE_URL"] ?? env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1";
  return new OpenAiModel({ baseUrl, apiKey: env["DONEGATE_API_KEY"] ?? env["OPENAI_API_KEY"] ?? null });
}
