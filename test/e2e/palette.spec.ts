import { describe, expect, it } from "vitest";
import { useWorkbench } from "./support/useWorkbench";

describe("the palette", () => {
  const workbench = useWorkbench();

  it("offers to run an agent task", async () => {
    const rows = await workbench().openPalette("Run agent task");
    await rows.filter({ hasText: "Donegate: Run agent task" }).first().waitFor();
    expect(await rows.first().getAttribute("aria-label")).toContain("Donegate: Run agent task");
    await workbench().screenshot("palette");
  });
});
