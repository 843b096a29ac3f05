import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useWorkbench } from "./support/useWorkbench";

describe("the palette", () => {
  const workbench = useWorkbench();

  it("offers to run an agent task", async () => {
    const rows = await workbench().openPalette("Run agent task");
    await rows.filter({ hasText: "Donegate: Run agent task" }).first().waitFor();
    expect(await rows.first().getAttribute("aria-label")).toContain("Donegate: Run agent task");
    await workbench().screenshot("palette");
    await workbench().page.keyboard.press("Escape");
  });

  it("explains a command in an editor, and runs nothing", async () => {
    await workbench().runCommand("Donegate: Explain a command");
    await workbench().answerInput("ls && touch made.txt && kubectl delete ns prod");
    const lines = workbench().page.locator(".editor-instance .view-line");
    await lines.filter({ hasText: "level prod" }).first().waitFor();
    await lines.filter({ hasText: /^>\sask\sprod\s+kubectl\sdelete/ }).waitFor();
    expect(existsSync(join(workbench().folder, "made.txt"))).toBe(false);
    await workbench().screenshot("explained-command");
  });
});
