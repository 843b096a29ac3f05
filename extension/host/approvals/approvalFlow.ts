// How a person answers one request. Nothing is an answer but a choice made in a prompt that named this request; whatever
// was chosen is checked again against the run's state, because a prompt can outlive what it asks about.
import type { Approval } from "../../core/journal/runState";
import type { Command } from "../../core/loop/command";
import { escapeForNotification } from "../escapeForNotification";
import { waitingIn } from "../projections/approvalRows";
import { needsReview, toEndedWord, toQuestion, toRequestTitle } from "../projections/approvalWords";
import type { RequestRef } from "../projections/row";
import type { Translate } from "../projections/translate";
import type { Runs } from "../runs";
import type { Choice, Prompter } from "./prompter";

export interface ApprovalFlowParts {
  runs: Pick<Runs, "find" | "send">;
  prompter: Prompter;
  /** Who answers, as the journal names it. */
  by: string;
  t: Translate;
}

export class ApprovalFlow {
  constructor(private readonly parts: ApprovalFlowParts) {}

  /** Tells the person without taking the focus; what has to be read in full is only offered for review. */
  async announce(request: RequestRef): Promise<void> {
    const approval = this.#find(request);
    if (approval === null) return;
    const choice = await this.parts.prompter.notify(this.#toMessage(approval), toChoices(approval));
    if (choice !== null) await this.#follow(choice, request);
  }

  /** Opens the request in full, then offers the decision without taking the focus from the text. */
  async review(request: RequestRef): Promise<void> {
    const approval = this.#findOrTell(request);
    if (approval === null) return;
    const { prompter, t } = this.parts;
    await prompter.openReview(request);
    const choice = await prompter.notify(
      t("{0}: read it in full, then decide.", approval.id),
      approval.kind === "question" ? ["answer"] : ["decide"],
    );
    if (choice !== null) await this.#follow(choice, request);
  }

  /** The modal question. Only for what the person has open or had open; else the review comes first. */
  async decide(request: RequestRef): Promise<void> {
    const { prompter, t } = this.parts;
    const approval = this.#findOrTell(request);
    if (approval === null) return;
    if (approval.kind === "question") return this.answer(request);
    if (!prompter.hasReviewed(request)) return this.review(request);
    const title = escapeForNotification(toRequestTitle(approval, t));
    const message = t("{0}: {1}", approval.id, title);
    const choice = await prompter.decide(message, this.#toDetail(approval), ["deny", "approve"]);
    if (choice === "deny") await this.deny(request);
    if (choice === "approve") await this.#send(request, toApprove(request, this.parts.by));
  }

  /** One click approves what is of level normal; everything else is opened for review instead. */
  async approve(request: RequestRef): Promise<void> {
    const approval = this.#findOrTell(request);
    if (approval === null) return;
    if (approval.kind === "question") return this.answer(request);
    if (needsReview(approval)) return this.review(request);
    await this.#send(request, toApprove(request, this.parts.by));
  }

  async deny(request: RequestRef, reason = ""): Promise<void> {
    const { by } = this.parts;
    await this.#send(request, { type: "deny", id: request.id, by, reason });
  }

  async denyWithReason(request: RequestRef): Promise<void> {
    const { t } = this.parts;
    const reason = await this.#ask(request, ({ id }) => ({
      title: t("Deny {0}", id),
      prompt: t("Why? The agent is told. Enter denies, Escape decides nothing."),
    }));
    if (reason !== null) await this.deny(request, reason.trim());
  }

  async answer(request: RequestRef): Promise<void> {
    const { by, t } = this.parts;
    const text = await this.#ask(request, ({ id, args }) => ({
      title: t("{0}: the agent asks", id),
      prompt: escapeForNotification(toQuestion(args, 400), 400),
    }));
    if (text === null) return;
    if (text.trim() === "")
      return this.parts.prompter.tell(t("{0} still waits: an answer cannot be empty.", request.id));
    await this.#send(request, { type: "answer", id: request.id, by, text });
  }

  async #follow(choice: Choice, request: RequestRef): Promise<void> {
    switch (choice) {
      case "approve":
        return this.approve(request);
      case "deny":
        return this.deny(request);
      case "answer":
        return this.answer(request);
      case "decide":
        return this.decide(request);
      case "review":
      case "details":
        return this.review(request);
    }
  }

  async #ask(
    request: RequestRef,
    toWords: (approval: Approval) => { title: string; prompt: string },
  ): Promise<string | null> {
    const approval = this.#findOrTell(request);
    if (approval === null) return null;
    const { title, prompt } = toWords(approval);
    return this.parts.prompter.input(title, prompt);
  }

  async #send(request: RequestRef, command: Command): Promise<void> {
    if (this.#findOrTell(request) === null) return;
    const { runs, prompter, t } = this.parts;
    const answer = await runs.send(request.run, command);
    if (!answer.ok) prompter.tell(t("Nothing was decided: {0}", escapeForNotification(answer.reason)));
  }

  #find(request: RequestRef): Approval | null {
    const entry = this.parts.runs.find(request.run);
    const waiting = entry === null ? [] : waitingIn(entry);
    return waiting.find(({ id, digest }) => id === request.id && digest === request.digest) ?? null;
  }

  #findOrTell(request: RequestRef): Approval | null {
    const approval = this.#find(request);
    if (approval === null) this.parts.prompter.tell(this.#toEnded(request));
    return approval;
  }

  #toEnded({ run, id, digest }: RequestRef): string {
    const { runs, t } = this.parts;
    const known = runs.find(run)?.state.approvals.find((approval) => approval.id === id && approval.digest === digest);
    const isOver = known !== undefined && known.status !== "pending";
    const how = isOver ? escapeForNotification(toEndedWord(known, t)) : t("its run is over");
    return t("{0} has ended: {1}. Your click changed nothing.", id, how);
  }

  #toMessage(approval: Approval): string {
    const { t } = this.parts;
    const title = escapeForNotification(toRequestTitle(approval, t), 200);
    if (approval.kind !== "call") return t("{0}: {1}", approval.id, title);
    const reason = escapeForNotification(approval.reason, 200);
    return approval.level === "normal"
      ? t("{0}: the agent wants to run {1}. {2}", approval.id, title, reason)
      : t("{0} ({1}): the agent wants to run {2}. {3}", approval.id, approval.level, title, reason);
  }

  #toDetail({ level, reason, rule }: Approval): string {
    const { t } = this.parts;
    const words = [
      t("Level: {0}", level),
      t("Reason: {0}", escapeForNotification(reason, 600)),
      t("Rule: {0}", escapeForNotification(rule)),
      t("Your answer counts once, for exactly what the review shows in full."),
    ];
    return words.join("\n");
  }
}

function toChoices(approval: Approval): readonly Choice[] {
  if (approval.kind === "question") return ["answer", "details"];
  return needsReview(approval) ? ["review"] : ["approve", "deny", "details"];
}

function toApprove({ id, digest }: RequestRef, by: string): Command {
  return { type: "approve", id, by, digest };
}
