import { acceptedConfig, isStale } from "../../core/agents/resumeParts";
import { resumeWorkspaceRun } from "../../core/agents/workspaceRun";
import type { Event, RunSpec } from "../../core/journal/event";
import { loadJournal, type LoadedJournal } from "../../core/journal/loadJournal";
import type { CliCommand } from "../cliCommand";
import type { CliIo } from "../cliIo";
import { composeBasics, composeRun, openJournal, type Basics, type ComposedRun } from "../compose";
import { readConfigFile } from "../configFile";
import { escapeText } from "../escapeText";
import { refuse, type Refusal } from "../exitCodes";
import { followRun, report } from "../followRun";
import { existingJournalPath, isWithin } from "../journalPath";
import { chooseModelAgain } from "../modelChoice";
import { hasFlag, valueOf, type ParsedArguments } from "../parseArguments";
import { refusedOutcome } from "../refusedOutcome";
import { readAnswers, toAnswerEvents, type PersonAnswer } from "../resumeAnswers";
import { asking, plain, writeLines } from "../storyLine";
import { storySink } from "../storySink";
import { untouchedOutcome } from "../untouchedOutcome";
import { findWorkspaceRoot } from "../workspaceRoot";

export const resumeCommand: CliCommand = {
  usage:
    "resume --journal FILE [--approve ID]… [--deny ID --reason TEXT]… [--answer ID TEXT]… [--message TEXT] [--base-url URL] [--model NAME] [--workspace DIR] [--config FILE] [--json]",
  options: {
    journal: "value",
    approve: "list",
    deny: "list",
    reason: "list",
    answer: "pair",
    message: "value",
    "base-url": "value",
    model: "value",
    workspace: "value",
    config: "value",
    json: "flag",
  },
  operands: { least: 0, most: 0, problem: "resume takes no goal; what you want to say goes into --message" },
  toRefusedObject: refusedOutcome,
  run: resumeRun,
};

/** Who answers, for the journal: DONEGATE_PERSON where a script speaks for somebody, or for nobody. */
function answeringPerson(io: CliIo): string {
  const named = io.env["DONEGATE_PERSON"]?.trim() ?? "";
  return named === "" ? "person at the command line" : named;
}

async function resumeRun(args: ParsedArguments, io: CliIo): Promise<number | Refusal> {
  const answers = readAnswers(args, answeringPerson(io));
  if (!answers.ok) return answers;
  const path = await existingJournalPath(valueOf(args, "journal"), io.cwd);
  if (!path.ok) return path;
  const journal = await openJournal(path.path);
  if (!journal.ok) return journal;
  const basics = composeBasics();
  const loaded = await loadJournal(journal.store, basics.hasher);
  const prepared = await prepare(loaded, answers.answers, args, { io, basics, path: path.path });
  if (!prepared.ok) {
    await journal.store.close();
    return { ...prepared, report: untouchedOutcome(loaded, path.path, prepared.message) };
  }
  const { spec, opening } = prepared;
  const model = chooseModelAgain(
    { name: valueOf(args, "model"), baseUrl: valueOf(args, "base-url"), env: io.env },
    spec,
    basics.clock,
  );
  const composed = composeRun({
    ...{ root: spec.root, basics, env: io.env, model: model.client, journal: journal.store, run: loaded.state.run },
    config: acceptedConfig(spec, basics.hasher),
  });
  const following = { io, composed, wantsJson: hasFlag(args, "json") };
  if (loaded.state.end?.status === "done" && opening.length === 0) {
    const state = { ...loaded.state, sealed: loaded.state.sealed && loaded.sealed };
    const stale = await isStale(state, composed.ports.snapshots);
    await composed.end();
    const already = "This run was done already: nothing was run. With --message TEXT it goes on.";
    writeLines(storySink(io, following.wantsJson), [plain(already)]);
    return report(state, stale, following);
  }
  await setAsideTornTail(loaded, composed, storySink(io, following.wantsJson));
  tellCutEnd(loaded, storySink(io, following.wantsJson));
  const opened = resumeWorkspaceRun(
    loaded,
    {
      by: answeringPerson(io),
      modelName: valueOf(args, "model"),
      opening,
      onAsk: io.terminal !== null ? "wait" : spec.onAsk === "deny" ? "deny" : "suspend",
    },
    composed.ports,
  );
  if (!opened.ok) {
    await composed.end();
    return refuse(opened.message);
  }
  return followRun(opened.run, following);
}

interface Circumstances {
  io: CliIo;
  basics: Basics;
  path: string;
}

/** Everything that can be wrong is found before anything is written. */
async function prepare(
  loaded: LoadedJournal,
  answers: readonly PersonAnswer[],
  args: ParsedArguments,
  { io, basics, path }: Circumstances,
): Promise<{ ok: true; spec: RunSpec & { root: string }; opening: Event[] } | Refusal> {
  if (loaded.blocked !== null) return refuse(`${path} cannot be resumed: ${loaded.blocked}`);
  const { spec } = loaded.state;
  if (spec === null || spec.root === null) return refuse(`${path} holds no run on a workspace`);
  const root = await findWorkspaceRoot(spec.root, io.cwd);
  if (!root.ok) return root;
  const named = valueOf(args, "workspace");
  const wanted = named === null ? root : await findWorkspaceRoot(named, io.cwd);
  if (!wanted.ok) return wanted;
  if (wanted.root !== spec.root || root.root !== spec.root) {
    return refuse(`this run belongs to the workspace ${spec.root}, not to ${wanted.root}: leave --workspace away`);
  }
  if (isWithin(path, spec.root)) {
    return refuse(
      `the journal ${path} lies in the run's own workspace, where the run can write: move it out, with the folder beside it`,
    );
  }
  const config = await isSameConfig(spec, valueOf(args, "config"), io.cwd, basics);
  if (!config.ok) return config;
  const events = toAnswerEvents(loaded.state, answers, basics.clock.now());
  if (!events.ok) return events;
  const message = valueOf(args, "message");
  const said: Event[] = message === null ? [] : [{ type: "human_message", text: message, by: answeringPerson(io) }];
  return { ok: true, spec: { ...spec, root: spec.root }, opening: [...events.events, ...said] };
}

/** A run keeps the configuration it was started with; naming another one is a mistake that must not pass silently. */
async function isSameConfig(
  spec: RunSpec,
  named: string | null,
  cwd: string,
  { hasher }: Basics,
): Promise<{ ok: true } | Refusal> {
  if (named === null) return { ok: true };
  const read = await readConfigFile({ root: spec.root ?? cwd, named, cwd }, hasher);
  if (!read.ok) return read;
  if (read.file !== null && hasher.sha256(read.file.text) === spec.config?.digest) return { ok: true };
  return refuse(
    `the run was started with another configuration than ${named}, and keeps it: leave --config away, or start a new run`,
  );
}

async function setAsideTornTail(
  loaded: LoadedJournal,
  { ports }: ComposedRun,
  sink: ReturnType<typeof storySink>,
): Promise<void> {
  if (loaded.tornBytes === 0) return;
  const aside = await ports.journal.setAsideTail(loaded.tornBytes);
  const text = `The journal's last line was torn: ${loaded.tornBytes} bytes are set aside in ${escapeText(aside)}`;
  writeLines(sink, [asking(text)]);
}

function tellCutEnd({ problems }: LoadedJournal, sink: ReturnType<typeof storySink>): void {
  const cut = problems.filter(({ code }) => code === "head");
  writeLines(
    sink,
    cut.map(({ message }) => asking(`The journal may not be whole: ${escapeText(message)}`)),
  );
}
