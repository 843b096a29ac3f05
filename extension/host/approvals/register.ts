// Approvals in the editor: prompts for what is new, the review documents, and the commands of rows and editor titles.
import * as vscode from "vscode";
import { escapeForNotification } from "../escapeForNotification";
import { waitingIn } from "../projections/approvalRows";
import { toRequestTitle } from "../projections/approvalWords";
import type { RequestRef } from "../projections/row";
import type { Translate } from "../projections/translate";
import type { Runs } from "../runs";
import { isOwnRow } from "../views/rowForest";
import { announceNew } from "./announceNew";
import { ApprovalFlow } from "./approvalFlow";
import { ReviewDocuments, reviewScheme } from "./reviewDocuments";
import { VscodePrompter } from "./vscodePrompter";

const who = "person in the editor";

/** Answers the flow, for a surface with rows of its own (the transcript). */
export function registerApprovalCommands(context: vscode.ExtensionContext, runs: Runs): ApprovalFlow {
  const t: Translate = (message, ...values) => vscode.l10n.t(message, ...values);
  const documents = new ReviewDocuments(runs, t);
  const flow = new ApprovalFlow({ runs, prompter: new VscodePrompter(documents), by: who, t });
  const findRequest = (argument: unknown): RequestRef | null => toRequest(argument, documents);
  const onRow = (act: (request: RequestRef) => Promise<void>) => async (argument: unknown) => {
    const request = findRequest(argument);
    if (request !== null) await act(request);
  };
  const onRowOrPick = (act: (request: RequestRef) => Promise<void>) => async (argument: unknown) => {
    const request = argument === undefined ? await pickRequest(runs, documents, t) : findRequest(argument);
    if (request !== null) await act(request);
  };
  const commands: Record<string, (argument: unknown) => Promise<void>> = {
    "donegate.approveCall": onRow((request) => flow.approve(request)),
    "donegate.denyCall": onRow((request) => flow.deny(request)),
    "donegate.denyWithReason": onRow((request) => flow.denyWithReason(request)),
    "donegate.answerQuestion": onRow((request) => flow.answer(request)),
    "donegate.reviewApproval": onRowOrPick((request) => flow.review(request)),
    "donegate.decideApproval": onRowOrPick((request) => flow.decide(request)),
  };
  context.subscriptions.push(
    documents,
    vscode.workspace.registerTextDocumentContentProvider(reviewScheme, documents),
    runs.onDidChange(() => documents.refresh()),
    announceNew(runs, (request) => void flow.announce(request).catch(tellFailure)),
    ...Object.entries(commands).map(([id, act]) =>
      vscode.commands.registerCommand(id, (argument: unknown) => act(argument).catch(tellFailure)),
    ),
  );
  return flow;
}

/** A row that our own tree handed out, or the address of a review that this window opened. Never an id. */
function toRequest(argument: unknown, documents: ReviewDocuments): RequestRef | null {
  if (isOwnRow(argument)) return argument.row.request;
  return argument instanceof vscode.Uri ? documents.requestOf(argument) : null;
}

/** From the palette: the review in front of the person, else the one request that waits, else he picks. */
async function pickRequest(runs: Runs, documents: ReviewDocuments, t: Translate): Promise<RequestRef | null> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const shown = active === undefined ? null : documents.requestOf(active);
  if (shown !== null) return shown;
  await runs.load();
  const waiting = runs.entries().flatMap((entry) =>
    waitingIn(entry).map((approval) => ({
      label: escapeForNotification(`${approval.id} ${toRequestTitle(approval, t)}`),
      description: approval.level,
      request: { run: entry.id, id: approval.id, digest: approval.digest },
    })),
  );
  if (waiting.length === 0) {
    void vscode.window.showInformationMessage(t("Nothing waits for you."));
    return null;
  }
  const [only] = waiting;
  if (waiting.length === 1 && only !== undefined) return only.request;
  return (await vscode.window.showQuickPick(waiting, { title: t("Which request?") }))?.request ?? null;
}

function tellFailure(error: unknown): void {
  const why = escapeForNotification(error instanceof Error ? error.message : String(error));
  void vscode.window.showErrorMessage(vscode.l10n.t("Nothing was decided: {0}", why));
}
