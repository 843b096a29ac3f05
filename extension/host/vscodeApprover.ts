// Asks a person inside the editor. Nothing here is a yes but a click on Approve: closing, Escape and Enter decide nothing or deny.
import * as vscode from "vscode";
import type { Approval } from "../core/journal/runState";
import type { Approver, Decision } from "../core/loop/approver";
import { escapeForPrompt } from "./escapeForPrompt";

const who = "person in the editor";

export class VscodeApprover implements Approver {
  async decide(request: Approval): Promise<Decision | null> {
    if (request.kind === "question") return this.#answer(request);
    const deny: vscode.MessageItem = { title: vscode.l10n.t("Deny") };
    const approve: vscode.MessageItem = { title: vscode.l10n.t("Approve") };
    const detail = `${request.reason}\n\n${escapeForPrompt(request.args)}`;
    const title = vscode.l10n.t("{0}: {1} wants to run", request.id, request.tool);
    const modal = request.level !== "normal";
    const options: vscode.MessageOptions = modal ? { modal: true, detail } : {};
    const message = modal ? title : `${title} — ${request.reason} ${escapeForPrompt(request.args)}`;
    const clicked = await vscode.window.showWarningMessage(message, options, deny, approve);
    if (clicked === approve) return { decision: "approve", by: who };
    return clicked === deny ? { decision: "deny", by: who, reason: "" } : null;
  }

  async #answer(request: Approval): Promise<Decision | null> {
    const text = await vscode.window.showInputBox({ title: request.reason, ignoreFocusOut: true });
    return text === undefined ? null : { decision: "answer", by: who, text };
  }
}
