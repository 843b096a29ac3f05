import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { findCycles, readImports } from "../support/importCycles";

const root = fileURLToPath(new URL("../..", import.meta.url));
const made = mkdtempSync(join(tmpdir(), "donegate-cycles-"));

afterAll(() => rmSync(made, { recursive: true, force: true }));

function cyclesIn(name: string, files: Readonly<Record<string, string>>): string[] {
  for (const [file, text] of Object.entries(files)) {
    const path = join(made, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return findCycles(readImports(made, [name])).map((cycle) => cycle.join(" -> "));
}

describe("imports go one way", () => {
  it("in the extension and the webview, types included", () => {
    const imports = readImports(root, ["extension", "webview"]);
    expect([...imports.values()].flat().length).toBeGreaterThan(1_000);
    expect(findCycles(imports).map((cycle) => cycle.join(" -> "))).toEqual([]);
  });

  it.each([
    'import { b } from "./deep/b";',
    'import type { B } from "./deep/b";',
    'import { type B } from "./deep/b";',
    'export * from "./deep/b";',
    'const b = import("./deep/b");',
    'type B = import("./deep/b").B;',
  ])("a circle is found however it is written: %s", (text) => {
    const other = { "deep/b.tsx": 'import "..";', "index.ts": 'import "./a";' };
    expect(cyclesIn("circle", { "a.ts": text, ...other })).toEqual([
      "circle/a.ts -> circle/deep/b.tsx -> circle/index.ts -> circle/a.ts",
    ]);
  });

  it("two ways to one file are no circle", () => {
    const files = {
      "a.ts": 'import "./b"; import "./c";',
      "b.ts": 'import "./d";',
      "c.ts": 'import "./d";',
      "d.ts": "",
    };
    expect(cyclesIn("diamond", files)).toEqual([]);
  });
});
