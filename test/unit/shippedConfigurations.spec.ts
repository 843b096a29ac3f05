import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseConfig } from "../../extension/core/config/parseConfig";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The README's example is what a newcomer copies. */
function readmeExample(): string {
  const block = /```yaml\n(.*?)```/s.exec(read("README.md"))?.[1];
  if (block === undefined) throw new Error("README.md holds no yaml example");
  return block;
}

it.each([
  ["the sample workspace", () => read("media/demo/workspace/donegate.yaml")],
  ["the Python story", () => read("test/fixtures/story/workspace/donegate.yaml")],
  ["the README", readmeExample],
])("the configuration of %s is valid and gives no warning", (_, text) => {
  const parsed = parseConfig(text(), "0".repeat(64));
  expect(parsed).toMatchObject({ ok: true, config: { verify: { maxAttempts: 3 }, warnings: [] } });
});
