import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createCommandTable,
  readCommandTable,
  wordFor,
  type CommandRow,
  type CommandTable,
} from "../../../support/commandTable";

let table: CommandTable;
beforeAll(async () => {
  table = await createCommandTable();
});
afterAll(() => table.place.dispose());

const strictness = { allow: 0, ask: 1, deny: 2 };

function expected({ verdict, level }: CommandRow): string {
  return level === "prod" ? "ask prod" : verdict;
}

describe.each(["commands.tsv", "ownCommands.tsv"])("%s", (name) => {
  const rows = readCommandTable(name);

  it("has rows", () => {
    expect(rows.length).toBeGreaterThan(90);
  });

  it.each(rows.map((row) => [row.command, row] as const))("%s", async (command, row) => {
    const verdict = await table.judge(command);
    expect(
      wordFor(verdict),
      `${row.why} · ${"reason" in verdict ? `${verdict.rule}: ${verdict.reason}` : verdict.rule}`,
    ).toBe(expected(row));
    expect(strictness[verdict.decision]).toBeGreaterThanOrEqual(strictness[row.verdict]);
  });
});
