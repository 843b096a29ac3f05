import { expect, it } from "vitest";
import type { ShellSyntax } from "../../../extension/core/ports/shellGrammar";
import { TreeSitterGrammar } from "../../../extension/node/treeSitterGrammar";

async function parse(text: string) {
  const loaded = await new TreeSitterGrammar().load();
  if (!loaded.ok) throw new Error(loaded.message);
  return loaded.parse(text);
}

function typesOf(node: ShellSyntax): string[] {
  return [node.type, ...node.children.flatMap(typesOf)];
}

it("finds the commands of a line, nested ones too", async () => {
  const { root, broken } = await parse('ls -la "$(git status)" | wc -l; (cd x && rm y)');
  expect(broken).toBe(false);
  expect(typesOf(root).filter((type) => type === "command")).toHaveLength(5);
  expect(typesOf(root).filter((type) => type === "command_substitution")).toHaveLength(1);
});

it("gives fields, texts and offsets in UTF-16 units", async () => {
  const { root } = await parse("echo 'ä👍' x");
  const command = root.children[0];
  expect(command?.children.map(({ field, text }) => [field, text])).toEqual([
    ["name", "echo"],
    ["argument", "'ä👍'"],
    ["argument", "x"],
  ]);
  expect(command?.children[2]?.start).toBe(11);
});

it.each(["echo 'x", "ls $(", "if true; then", "ls ||"])("says that %j is broken", async (text) => {
  expect((await parse(text)).broken).toBe(true);
});

it("takes any depth of nesting", async () => {
  const { root } = await parse("$(".repeat(20_000));
  expect(root.type.length).toBeGreaterThan(0);
});

it("loads once", async () => {
  const [first, second] = [new TreeSitterGrammar(), new TreeSitterGrammar()];
  expect(await first.load()).toBe(await second.load());
});
