import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";
import tseslint from "typescript-eslint";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

// The real configuration; only the type information is left out, because the snippets are not on disk.
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: join(root, "eslint.config.mjs"),
  overrideConfig: [{ ...tseslint.configs.disableTypeChecked, files: ["**/*.ts", "**/*.tsx"] }],
});

async function lint(file: string, code: string, rules: string[]): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: join(root, file) });
  if (result === undefined) throw new Error(`${file} is not linted at all`);
  const fatal = result.messages.filter((message) => message.fatal === true);
  if (fatal.length > 0) throw new Error(fatal.map((message) => message.message).join("\n"));
  return result.messages.filter((message) => rules.includes(message.ruleId ?? "")).map((message) => message.message);
}

const crossings = (file: string, code: string) => lint(file, code, ["donegate/import-table"]);
const impurities = (file: string, code: string) =>
  lint(file, code, ["no-restricted-globals", "no-restricted-properties", "no-restricted-syntax"]);

const rooms = {
  core: { file: "extension/core/loop/deep/x.ts", up: "../../../" },
  protocol: { file: "extension/protocol/x.ts", up: "../" },
  node: { file: "extension/node/model/x.ts", up: "../../" },
  host: { file: "extension/host/views/x.ts", up: "../../" },
  server: { file: "extension/server/x.ts", up: "../" },
  cli: { file: "extension/cli/x.ts", up: "../" },
  webview: { file: "webview/parts/x.tsx", up: "../../extension/" },
  assembly: { file: "extension/compose.ts", up: "./" },
} as const;
type Room = keyof typeof rooms;

const mayImport: Record<Room, readonly string[]> = {
  core: ["core"],
  protocol: ["protocol"],
  node: ["node", "core"],
  host: ["host", "core", "protocol"],
  server: ["server", "core", "protocol", "node"],
  cli: ["cli", "core", "node"],
  webview: ["protocol"],
  assembly: ["core", "protocol", "node", "host"],
};
const targets = ["core", "protocol", "node", "host", "server", "cli"];
const pairs = (Object.keys(rooms) as Room[]).flatMap((from) => targets.map((to) => ({ from, to })));

describe("import table between rooms", () => {
  it.each(pairs.filter(({ from, to }) => mayImport[from].includes(to)))(
    "$from may import $to",
    async ({ from, to }) => {
      const code = `import { a } from "${rooms[from].up}${to}/b/c"; export const d = a;`;
      expect(await crossings(rooms[from].file, code)).toEqual([]);
    },
  );

  it.each(pairs.filter(({ from, to }) => !mayImport[from].includes(to)))(
    "$from may not import $to",
    async ({ from, to }) => {
      const code = `import { a } from "${rooms[from].up}${to}/b/c"; export const d = a;`;
      const found = await crossings(rooms[from].file, code);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(new RegExp(`^${from} may not import .*${to}.*; .{20,}`));
    },
  );

  it.each(["core", "protocol", "node", "host", "server", "cli", "webview"] as const)(
    "%s may not import main.ts or compose.ts",
    async (from) => {
      const { file, up } = rooms[from];
      expect(await crossings(file, `import "${up}compose"; export * from "${up}main";`)).toHaveLength(2);
    },
  );

  it("main.ts may import compose.ts, and tests may import every room", async () => {
    expect(await crossings("extension/main.ts", 'import { compose } from "./compose"; compose();')).toEqual([]);
    expect(await crossings("test/unit/x.spec.ts", 'import "../../extension/cli/run"; import "vscode";')).toEqual([]);
  });

  it("protocol may import types from core, and only types", async () => {
    expect(await crossings("extension/protocol/x.ts", 'import type { A } from "../core"; export type B = A;')).toEqual(
      [],
    );
    expect(
      await crossings("extension/protocol/x.ts", 'import { type A } from "../core"; export type B = A;'),
    ).toHaveLength(1);
  });

  it.each([
    'export { a } from "../../node/x";',
    'export * from "../../node/x";',
    'export const a = import("../../node/x");',
    'export type A = import("../../node/x").A;',
    'import a = require("../../node/x"); export { a };',
    'export const a: unknown = require("../../node/x");',
    'import type { A } from "../../node/x"; export type B = A;',
    'import "../../../package.json";',
  ])("core is held however the import is written: %s", async (code) => {
    expect(await crossings("extension/core/gate/x.ts", code)).toHaveLength(1);
  });

  it("a folder that is no room is named", async () => {
    expect(await crossings("extension/misc/x.ts", 'import "../core";')).toEqual([
      expect.stringContaining("extension/misc is not a room"),
    ]);
  });
});

describe("packages", () => {
  it.each(["zod", "zod/v4", "yaml", "diff", "picomatch/posix"])("core may import %s", async (name) => {
    expect(await crossings("extension/core/x.ts", `import "${name}";`)).toEqual([]);
  });

  it.each(["node:fs", "fs", "vscode", "openai", "picomatch", "zodiac", "/tmp/x", "@vscode/ripgrep"])(
    "core may not import %s",
    async (name) => {
      expect(await crossings("extension/core/x.ts", `import "${name}";`)).toHaveLength(1);
    },
  );

  it("zod is imported as a namespace, which keeps bundles small", async () => {
    const rule = ["no-restricted-syntax"];
    for (const file of ["extension/core/x.ts", "extension/node/x.ts", "test/unit/x.spec.ts"]) {
      expect(await lint(file, 'import { z } from "zod"; z.string();', rule)).toHaveLength(1);
      expect(await lint(file, 'import * as z from "zod"; z.string();', rule)).toEqual([]);
    }
  });

  it.each(["protocol", "node", "server", "cli", "webview"] as const)("%s may not import vscode", async (from) => {
    expect(await crossings(rooms[from].file, 'import type { Uri } from "vscode"; export type A = Uri;')).toHaveLength(
      1,
    );
  });

  it.each(["host", "assembly"] as const)("%s may import vscode", async (from) => {
    expect(await crossings(rooms[from].file, 'import type { Uri } from "vscode"; export type A = Uri;')).toEqual([]);
  });
});

describe("purity of core", () => {
  const impure = [
    "process.cwd();",
    'Buffer.from("a");',
    "setTimeout(run, 1);",
    "setInterval(run, 1);",
    "console.log(1);",
    'fetch("a");',
    "crypto.randomUUID();",
    "Date.now();",
    "new Date();",
    "Date();",
    "Math.random();",
    "globalThis.process;",
  ];

  it.each(impure)("core may not say %s", async (code) => {
    expect(await impurities("extension/core/x.ts", code)).toHaveLength(1);
    expect(await impurities("extension/node/x.ts", code)).toEqual([]);
  });

  it("core may turn a given time into a date", async () => {
    expect(
      await impurities("extension/core/x.ts", "new Date(0).toISOString(); Math.max(1, 2); structuredClone(1);"),
    ).toEqual([]);
  });

  it.each(["it.skip", "it.only", "describe.only", "test.todo"])("a test may not be written with %s", async (call) => {
    expect(await impurities("test/unit/x.spec.ts", `${call}("a", () => undefined);`)).toHaveLength(1);
  });
});
