import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readConfigFile } from "../../../extension/node/configFile";
import { NodeHasher } from "../../../extension/node/nodeHasher";

const root = mkdtempSync(join(tmpdir(), "examples-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function read(examples: string) {
  const text = `guardrails:
  - deny: { tool: run_command, command: "terraform destroy*" }
    reason: never from here
    examples:
${examples}`;
  writeFileSync(join(root, "donegate.yaml"), text);
  return readConfigFile({ root, named: null, cwd: root }, new NodeHasher());
}

it("takes examples that hold", async () => {
  const result = await read(`      allow: ["terraform plan", "echo 'terraform destroy'"]
      deny: ["terraform destroy", "sudo terraform destroy", "bash -c 'terraform destroy'"]
`);
  expect(result).toMatchObject({ ok: true });
});

it.each([
  ['      allow: ["terraform plan", "ls; terraform destroy"]\n', "written to be allowed", 5, 33],
  ['      deny: ["terraform plan"]\n', "written to be denied", 5, 14],
  ['      ask: ["terraform destroy"]\n', "written to be asked about", 5, 13],
])("refuses %j with its place", async (examples, message, line, column) => {
  const result = await read(examples);
  expect(result).toMatchObject({ ok: false, at: { line, column } });
  expect(!result.ok && result.message).toContain(message);
});
