// The demo's whole story with the keyboard alone, by a person who types in another editor while the agent works.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { typeUntil } from "./support/typing";
import { useWorkbench } from "./support/useWorkbench";
import { watchMouse } from "./support/watchMouse";

const slowly = { timeout: 60_000 };

describe("the story, by keyboard alone", () => {
  const workbench = useWorkbench({ settings: { "files.autoSave": "off" } });
  const press = (...keys: string[]) => pressAll(keys);
  const focused = (name: RegExp): Locator =>
    workbench()
      .page.locator(".part.sidebar .pane .monaco-list:focus-within .monaco-list-row.focused")
      .and(workbench().findTreeItem(name));
  const editor = (): Locator => workbench().page.locator(".editor-group-container").first().locator(".editor-instance");
  const deployments = (): unknown[] => {
    const log = join(workbench().folder, "deployed.json");
    return existsSync(log) ? (JSON.parse(readFileSync(log, "utf8")) as unknown[]) : [];
  };
  let mouse: () => readonly string[] = () => ["nobody watched"];
  let before = "";
  let typed = "";

  beforeAll(async () => {
    mouse = await watchMouse(workbench().page);
    before = readFileSync(join(workbench().folder, "README.md"), "utf8");
  });

  afterAll(() => expect(mouse()).toEqual([]));

  it("begins in the palette, and gives the focus back to the editor", async () => {
    await openReadme();
    await editor().waitFor();
    await editor().locator(".monaco-editor.focused").first().waitFor();
    await press("Control+End");
    await workbench().runCommand("Run agent task");
    await workbench().answerInput(readFileSync(join(workbench().folder, "..", "goal.txt"), "utf8").trim());
    await workbench()
      .dialog()
      .getByRole("button", { name: "Accept", exact: true })
      .and(workbench().page.locator(":focus"))
      .waitFor();
    await press("Enter");
    await workbench().dialog().waitFor({ state: "detached" });
  });

  it("loses no key of the person while the agent plans, is denied, edits and asks", async () => {
    typed += await typeUntil(workbench().page, editor(), workbench().statusItem("1 waiting for you"), "a");
    expect(existsSync(join(workbench().folder, "addColumn.js"))).toBe(true);
    expect(await workbench().dialog().count()).toBe(0);
  });

  it("reviews what waits and denies it with Enter", async () => {
    await workbench().runCommand("Donegate: Show what waits for you");
    await focused(/^Waiting for you: A1/).waitFor();
    await press("Enter");
    await decide("A1");
    await press("Enter");
    await workbench()
      .findTreeItem(/^Denied: deploy env=prod.*Rule: person/)
      .waitFor();
    expect(deployments()).toEqual([]);
  });

  it("shows the denial", async () => {
    await focusView("Denials");
    await press("Home", "ArrowDown");
    await focused(/^Denied: edit_file.*grade\.js/).waitFor();
    await press("ArrowRight");
    await workbench()
      .findView("Denials")
      .getByRole("treeitem", { name: /^reason/ })
      .waitFor();
    await press("ArrowDown");
    await focused(/^reason/).waitFor();
    await workbench().screenshot("keyboard-denial");
  });

  it("goes to the transcript and speaks to the agent", async () => {
    await workbench().statusItem("1 waiting for you").waitFor(slowly);
    await workbench().runCommand("Donegate: Show run");
    const composer = workbench().webview().getByLabel("Message to the agent");
    await composer.and(workbench().webview().locator(":focus")).waitFor();
    await workbench().page.keyboard.type("Keep the header row.");
    await press("Enter");
    await workbench().webview().locator('.entry[data-kind="message"]').getByText("Keep the header row.").waitFor();
    await expect.poll(() => composer.inputValue()).toBe("");
    await workbench().webview().locator('.entry[data-kind="gate"]').getByText("Not verified").first().waitFor();
  });

  it("approves the second request, and types on until the run is verified", async () => {
    await workbench().runCommand("Donegate: Show what waits for you");
    await focused(/^Waiting for you: A2/).waitFor();
    await press("Enter");
    await decide("A2");
    await press("Tab");
    await workbench()
      .dialog()
      .getByRole("button", { name: "Approve" })
      .and(workbench().page.locator(":focus"))
      .waitFor();
    await press("Enter");
    await workbench().dialog().waitFor({ state: "detached" });
    await press("Control+1");
    await openReadme();
    await editor().locator(".monaco-editor.focused").getByText("a1 a2").first().waitFor();
    typed += await typeUntil(workbench().page, editor(), workbench().statusItem("done, verified"), "b");
    await press("Control+S");
    await expect.poll(() => readFileSync(join(workbench().folder, "README.md"), "utf8")).toBe(before + typed);
    expect(deployments()).toHaveLength(1);
  });

  it("ends with the green icon in the plan, and nothing spins", async () => {
    await focusView("Plan");
    await press("Home");
    const run = focused(/^Run .*: done · verified/);
    await run.locator(".codicon-verified-filled").waitFor();
    expect(await workbench().page.locator(".codicon-modifier-spin").count()).toBe(0);
    await workbench().screenshot("keyboard-verified");
  });

  async function pressAll(keys: readonly string[]): Promise<void> {
    for (const key of keys) await workbench().page.keyboard.press(key);
  }

  async function focusView(title: string): Promise<void> {
    await workbench().runCommand(`Donegate: Focus on ${title} View`);
    await workbench().findView(title).locator(".monaco-list:focus").waitFor();
  }

  async function openReadme(): Promise<void> {
    await press("Control+P");
    await workbench().quickInput().fill("README.md");
    const row = workbench().page.locator(".quick-input-list .monaco-list-row.focused");
    await row.filter({ hasText: "README.md" }).waitFor();
    await press("Enter");
  }

  /** From the review that is open to its modal question, in which Deny has the focus. */
  async function decide(id: string): Promise<void> {
    const group = workbench().page.locator(".editor-group-container.active");
    const shown = group.filter({ has: workbench().page.locator(".tab.active", { hasText: id }) });
    await shown.locator(".monaco-editor.focused").getByText("1 | prod").waitFor();
    await workbench().runCommand("Donegate: Decide…");
    await workbench().dialog().getByRole("button", { name: "Deny" }).and(workbench().page.locator(":focus")).waitFor();
  }
});
