// The extension's entry: registers things and does no work. What runs is loaded by the first command, by a view that
// is looked at, or because a run waits.
import { realpath } from "node:fs/promises";
import * as vscode from "vscode";
import { ConfigAcceptance } from "./host/acceptConfig";
import { registerApprovalCommands } from "./host/approvals/register";
import { localFolders } from "./host/chooseFolder";
import { registerCommands } from "./host/commands";
import { registerContextKeys } from "./host/contextKeys";
import { offerDemo } from "./host/demoFolder";
import { VscodeOpenEditors } from "./host/editors/vscodeOpenEditors";
import { createApi, createTestApi, type DonegateApi } from "./host/exportedApi";
import { ExplanationDocuments, explanationScheme } from "./host/explain/explanationDocuments";
import { LazyRuns } from "./host/lazyRuns";
import type { RunSurroundings } from "./host/liveRunsStart";
import { chooseModel, chooseModelAgain, demoModelName } from "./host/models";
import { presentNotices } from "./host/presentNotice";
import { keyFor } from "./host/secrets";
import { registerTranscript } from "./host/transcript/register";
import { registerViews } from "./host/views/register";
import { createSettingsReader } from "./host/vscodeSettings";

/** A reader can follow the scripted model at this pace. Milliseconds between two words. */
const demoDeltaMs = 25;

let runs: LazyRuns | null = null;

export function activate(context: vscode.ExtensionContext): DonegateApi {
  const log = vscode.window.createOutputChannel("Donegate", { log: true });
  const settings = createSettingsReader(log);
  const acceptance = new ConfigAcceptance(context.workspaceState);
  const onError = (error: unknown): void => log.error(error instanceof Error ? error : String(error));
  const around = createSurroundings(context, settings, acceptance, onError);
  const made = new LazyRuns(async () => {
    const { composeRuns } = await import("./engine");
    return composeRuns(around, {
      ...{ env: process.env, demoDeltaMs: toDemoDelta(process.env["DONEGATE_DEMO_DELTA_MS"]) },
      openEditors: (root, { files, hasher }) => new VscodeOpenEditors(root, files, hasher),
    });
  }, onError);
  runs = made;

  const approvals = registerApprovalCommands(context, made);
  const transcript = registerTranscript(context, made, {
    log,
    review: (request) => approvals.review(request),
    loadPanels: async () => (await import("./engine")).TranscriptPanels,
  });
  const views = registerViews(context, made);
  context.subscriptions.push(log, made, registerContextKeys(made), presentNotices(made, onError));
  const explanations = new ExplanationDocuments((message, ...values) => vscode.l10n.t(message, ...values));
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider(explanationScheme, explanations));
  const commandParts = {
    explanations,
    ...{ runs: made, secrets: context.secrets, settings, env: process.env },
    show: (id: string) => transcript.show(id, { takesFocus: false }),
    goTo: (id: string) => transcript.show(id, { takesFocus: true }),
    goToApprovals: () => views.goToApprovals(),
    ...{ extensionUri: context.extensionUri, storage: context.globalStorageUri },
  };
  registerCommands(context, commandParts, log);

  setImmediate(() => void lookAfterStart(made, context).catch(onError));
  const offer = (): void => void offerDemo(context.globalStorageUri).catch(onError);
  context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(offer));
  if (context.extensionMode !== vscode.ExtensionMode.Test) return createApi(made, onlyFolder);
  return createTestApi(made, onlyFolder, (root, digest) => acceptance.accept(root, digest));
}

/** A reload must not end anything: what goes on or waits is left as it is, for the next window. */
export async function deactivate(): Promise<void> {
  await runs?.leave();
}

/** One list of files per folder; the engine is loaded only when a run there has no last word. */
async function lookAfterStart(made: LazyRuns, context: vscode.ExtensionContext): Promise<void> {
  const { hasOpenRun } = await import("./node/journalEnds");
  for (const folder of folders()) {
    const root = await realpath(folder).catch(() => null);
    if (root !== null && (await hasOpenRun(root))) return made.load();
  }
  await offerDemo(context.globalStorageUri);
}

function createSurroundings(
  context: vscode.ExtensionContext,
  settings: RunSurroundings["settings"],
  acceptance: ConfigAcceptance,
  onError: RunSurroundings["onError"],
): RunSurroundings {
  const sources = () => ({
    settings: settings(),
    env: process.env,
    keyFor: (baseUrl: string) => keyFor(context.secrets, baseUrl),
  });
  return {
    folders,
    settings,
    onError,
    isTrusted: () => vscode.workspace.isTrusted,
    chooseModel: async ({ model }) =>
      model === "demo"
        ? { ok: true, model: { name: demoModelName, baseUrl: null, apiKey: null } }
        : chooseModel(sources()),
    chooseModelAgain: (before) => chooseModelAgain(before, sources()),
    acceptConfig: (root, file) => acceptance.ask(root, file),
  };
}

const folders = (): readonly string[] => localFolders().map((folder) => folder.uri.fsPath);

function onlyFolder(): string | null {
  const [first, ...others] = folders();
  return others.length === 0 ? (first ?? null) : null;
}

function toDemoDelta(text: string | undefined): number {
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : demoDeltaMs;
}
