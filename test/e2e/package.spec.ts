import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../.ci/setup.mjs";
import { copyDemo, openWorkbench, type Workbench } from "./support/workbench";

const slowly = { timeout: 60_000 };

describe("the package", () => {
  const place = mkdtempSync(join(tmpdir(), "donegate-package-"));
  const vsix = join(place, "donegate.vsix");
  const demo = copyDemo();
  let workbench: Workbench | null = null;
  const open = () => workbench ?? expect.fail("the workbench is not open");

  beforeAll(async () => {
    const packed = spawnSync(process.execPath, [join(root, ".ci", "package.mjs"), "--out", vsix], { encoding: "utf8" });
    // Also when it holds what it should not, or lacks something.
    if (packed.status !== 0) throw new Error(`${packed.stdout}\n${packed.stderr}`);
    workbench = await openWorkbench(demo.folder, { vsix });
  });

  afterAll(async () => {
    await workbench?.close();
    demo.dispose();
    rmSync(place, { recursive: true, force: true });
  });

  it("brings a ripgrep that starts where it was installed", () => {
    const [installed = "missing"] = readdirSync(open().extensionsFolder).filter((name) => name.startsWith("donegate."));
    const brought = join(open().extensionsFolder, installed, "dist", "node_modules", "@vscode");
    const [ripgrep = "missing"] = readdirSync(brought);
    const name = process.platform === "win32" ? "rg.exe" : "rg";
    const { stdout } = spawnSync(join(brought, ripgrep, "bin", name), ["--version"], { encoding: "utf8" });
    expect(stdout).toMatch(/^ripgrep \d/);
  });

  it("runs an agent task until a person is asked", async () => {
    await open().runCommand("Run agent task");
    await open().answerInput(readFileSync(demo.goal, "utf8").trim());
    await open().dialog().getByRole("button", { name: "Accept" }).click(slowly);
    await open().openContainer();
    await open()
      .findTreeItem(/A1 .*deploy/)
      .first()
      .waitFor(slowly);
    await open().screenshot("package");
  });
});
