// What a reload cuts off is there again, paused, and goes on from a click to the same end.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FakeModelServer } from "../support/fakeModelServer";
import { toPayloads } from "../support/modelScript";
import { useWorkbench } from "./support/useWorkbench";

const slowly = { timeout: 60_000 };

// Says that it has begun, and passes once the other file is there.
const check = `
const { existsSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
writeFileSync(join(__dirname, "began"), "");
setInterval(() => existsSync(join(__dirname, "may-end")) && process.exit(0), 50);
`;
const config = 'verify:\n  maxAttempts: 1\n  checks:\n    - { name: slow, run: "node ../grader/slow.js" }\n';

const cutOff = toPayloads({ text: "I begin with a file. This half never comes." }, 0).slice(0, 2);
const server = await FakeModelServer.start([
  { kind: "stall", first: cutOff.map((payload) => `data: ${payload}\n\n`).join("") },
  {
    kind: "reply",
    text: "Now I write it.",
    calls: [{ name: "write_file", args: { path: "made.txt", content: "made\n" } }],
  },
  { kind: "reply", text: "made.txt is written." },
]);

describe("a reload", () => {
  const settings = { "donegate.model.name": "scripted", "donegate.model.baseUrl": server.baseUrl };
  const workbench = useWorkbench({ settings });
  const besideFolder = (name: string): string => join(workbench().folder, "..", "grader", name);

  beforeAll(() => {
    writeFileSync(besideFolder("slow.js"), check);
    writeFileSync(join(workbench().folder, "donegate.yaml"), config);
  });
  afterAll(() => server.close());

  it("while the model streams leaves the run paused, and a click asks the model again", async () => {
    await workbench().runCommand("Run agent task");
    await workbench().answerInput("Make made.txt.");
    await workbench().dialog().getByRole("button", { name: "Accept" }).click();
    await workbench().webview().locator('.entry[data-kind="live"]').getByText("I begin with").waitFor();
    await workbench().reload();
    await resume();
    await workbench().webview().getByText("Now I write it.").waitFor(slowly);
    expect(await workbench().webview().getByText("I begin with").count()).toBe(0);
  });

  it("while a check runs leaves the run paused, and a click checks again", async () => {
    await expect.poll(() => existsSync(besideFolder("began")), slowly).toBe(true);
    await workbench().reload();
    writeFileSync(besideFolder("may-end"), "");
    await resume();
    await workbench()
      .findTreeItem(/^Run Make made\.txt\.: done · verified/)
      .first()
      .waitFor(slowly);
    expect(readFileSync(join(workbench().folder, "made.txt"), "utf8")).toBe("made\n");
    await workbench().webview().locator('.entry[data-kind="end"]').getByText("VERIFIED").waitFor();
    server.assertDone();
  });

  async function resume(): Promise<void> {
    // A window that was reloaded right after a view was opened comes back with the one before it.
    await workbench().openContainer();
    const row = workbench()
      .findTreeItem(/^Run Make made\.txt\.: paused/)
      .first();
    await row.waitFor(slowly);
    await row.hover();
    await row.getByRole("button", { name: "Resume" }).click();
  }
});
