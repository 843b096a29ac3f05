import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const repository = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(repository, path), "utf8");

interface Manifest {
  main: string;
  capabilities: Record<"untrustedWorkspaces" | "virtualWorkspaces", { supported: string; description: string }>;
  contributes: {
    commands: { command: string; title: string; category: string; icon?: string }[];
    menus: Record<string, { command: string; when: string }[]>;
    views: { donegate: { id: string; icon: string }[] };
  };
}
const manifest = JSON.parse(read("package.json")) as Manifest;
const words = JSON.parse(read("package.nls.json")) as Record<string, string>;
const { commands, menus, views } = manifest.contributes;
const ids = commands.map(({ command }) => command);

/** Ids that stand as keys of the host's two command tables. */
function registeredIds(): string[] {
  const tables = ["extension/host/commands.ts", "extension/host/approvals/register.ts"].map(read);
  return tables.flatMap((text) => [...text.matchAll(/^\s+"(donegate\.\w+)": \(?\w+/gm)].map((match) => match[1] ?? ""));
}

describe("the manifest", () => {
  it("contributes exactly the commands that the host registers", () => {
    expect([...ids].sort()).toEqual([...registeredIds()].sort());
    expect(ids).toContain("donegate.runTask");
  });

  it("gives every command a title and the category, and says Run agent task", () => {
    for (const { command, title, category } of commands) {
      expect(words[title.replaceAll("%", "")], command).toMatch(/\S/);
      expect(category).toBe("Donegate");
    }
    expect(words["command.runTask.title"]).toBe("Run agent task");
  });

  it("has a word for every placeholder, and no word that nothing uses", () => {
    const used = [...read("package.json").matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? "");
    expect([...new Set(used)].sort()).toEqual(Object.keys(words).sort());
  });

  it("has the four views, and an icon wherever a command stands in a title or a row", () => {
    expect(views.donegate.map(({ id }) => id)).toEqual([
      ...["donegate.plan", "donegate.approvals", "donegate.denials", "donegate.runs"],
    ]);
    for (const { icon } of views.donegate) expect(existsSync(join(repository, icon))).toBe(true);
    for (const entry of Object.values(menus).flat()) expect(ids).toContain(entry.command);
    const shown = [...(menus["view/title"] ?? []), ...(menus["view/item/context"] ?? [])];
    for (const { command } of shown) expect(commands.find((entry) => entry.command === command)?.icon).toMatch(/^\$\(/);
  });

  it("offers no approval in the palette", () => {
    const hidden = (menus["commandPalette"] ?? []).filter(({ when }) => when === "false").map(({ command }) => command);
    const answers = ["donegate.approveCall", "donegate.denyCall", "donegate.denyWithReason", "donegate.answerQuestion"];
    expect(hidden.sort()).toEqual(answers.sort());
  });

  it("is there where nothing can run, to say so", () => {
    for (const { supported, description } of Object.values(manifest.capabilities)) {
      expect(supported).toBe("limited");
      expect(words[description.replaceAll("%", "")]).toMatch(/nothing runs/);
    }
  });
});
