import { describe, expect, it } from "vitest";
import type { CustomToolConfig } from "../../../extension/core/config/donegateConfig";
import { applyTodos } from "../../../extension/core/plan/applyTodos";
import { emptyLedger } from "../../../extension/core/plan/ledger";
import { askHuman } from "../../../extension/core/tools/askHuman";
import { builtInToolNames, createTools } from "../../../extension/core/tools/createTools";
import { parseArguments } from "../../../extension/core/tools/parseArguments";
import { todowrite } from "../../../extension/core/tools/todowrite";
import type { AnyToolDef } from "../../../extension/core/tools/toolDef";
import { createRegistry } from "../../../extension/core/tools/toolRegistry";
import { normalisePath, resolveWorkspacePath } from "../../../extension/core/tools/workspacePath";
import { ToolBench, textOf } from "../../support/toolBench";

const custom: CustomToolConfig = {
  description: "Deploy",
  parameters: { env: { enum: ["dev", "prod"], description: "Where to" } },
  run: ["./deploy.sh", "${env}"],
  readback: null,
  timeoutMs: 1000,
};
const options = { checkNames: () => [] };

function tool(name: string): AnyToolDef {
  const found = createTools({ deploy: custom }, options).find(name);
  if (found === null) throw new Error(`no tool ${name}`);
  return found;
}

describe("the registry", () => {
  it("declares the built-in tools, then the custom ones, in a fixed order", () => {
    const tools = createTools({ zeta: custom, alpha: custom }, options);
    const builtIn =
      "read_file list_files search edit_file write_file delete_file move_file run_command run_tests todowrite ask_human";
    expect(builtInToolNames).toEqual(builtIn.split(" "));
    expect(tools.names()).toEqual([...builtInToolNames, "zeta", "alpha"]);
    expect(tools.wire().map((wire) => wire.function.name)).toEqual(tools.names());
  });

  it("sends the same bytes each time", () => {
    const one = createTools({ deploy: custom }, options);
    const other = createTools({ deploy: custom }, options);
    expect(JSON.stringify(one.wire())).toBe(JSON.stringify(other.wire()));
    expect(one.wire()).toBe(one.wire());
  });

  it("knows no tool by a name that every object has", () => {
    const tools = createTools({}, options);
    expect(["toString", "__proto__", "deploy"].map((name) => tools.find(name))).toEqual([null, null, null]);
  });

  it("holds the tools of an agent only, and refuses names that are no tool", () => {
    const tools = createTools({ deploy: custom }, { ...options, only: ["deploy", "read_file"] });
    expect(tools.names()).toEqual(["read_file", "deploy"]);
    expect(() => createTools({}, { ...options, only: ["deploy"] })).toThrow("there is no tool named deploy");
  });

  it("refuses two tools of one name", () => {
    expect(() => createTools({ read_file: custom }, options)).toThrow("two tools have the same name");
    expect(() => createRegistry([askHuman, askHuman])).toThrow("two tools have the same name");
  });

  it("asks for edits where the setting says so", () => {
    const asking = createTools({}, { ...options, edits: "ask" });
    const verdicts = (names: string): unknown[] => names.split(" ").map((name) => asking.find(name)?.defaultVerdict);
    expect(verdicts("edit_file write_file delete_file move_file")).toEqual(["ask", "ask", "ask", "ask"]);
    expect(verdicts("read_file list_files search run_tests todowrite ask_human")).toEqual(Array(6).fill("allow"));
    expect(verdicts("run_command")).toEqual(["ask"]);
    expect(tool("edit_file").defaultVerdict).toBe("allow");
  });

  it("describes arguments as plain JSON schema", () => {
    expect(tool("read_file").parameters).toEqual({
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, maxLength: 4096, description: "Relative to the workspace root" },
        offset: { type: "integer", minimum: 1, description: "First line to show, 1 when left out" },
        limit: { type: "integer", minimum: 1, description: "Number of lines to show, 2000 when left out" },
      },
      required: ["path"],
      additionalProperties: false,
    });
    expect(tool("deploy").parameters).toEqual({
      type: "object",
      properties: { env: { type: "string", enum: ["dev", "prod"], description: "Where to" } },
      required: ["env"],
      additionalProperties: false,
    });
  });

  it("promises nothing about gates, denials or markers in the tools' own words", () => {
    expect(JSON.stringify(createTools({}, options).wire())).not.toMatch(
      /verif|gate|guard|denied|denial|authoritative|approv/i,
    );
  });
});

describe("arguments", () => {
  it.each([
    ["read_file", {}, "read_file: missing path. Expected: {path: string, offset?: integer, limit?: integer}"],
    ["read_file", { path: "a", lines: 1 }, 'unknown key "lines" (known: path, offset, limit)'],
    ["read_file", { path: "a", offset: 0 }, "offset must be at least 1"],
    ["read_file", { path: "a", offset: 1.5 }, "offset must be a whole number, not 1.5"],
    ["read_file", { path: "" }, "path must not be empty"],
    ["read_file", { path: "a\0b" }, "path must not hold a NUL character"],
    ["read_file", { path: null }, "path must be a string, not null"],
    ["read_file", "a", 'the arguments must be an object, not the string "a"'],
    ["edit_file", { path: "a", old: "b" }, "missing new"],
    ["todowrite", { todos: "[]" }, 'todos must be an array, not the string "[]"'],
    ["todowrite", { todos: [], merge: true }, 'unknown key "merge" (known: todos)'],
    ["ask_human", { question: " " }, "question must not be blank"],
    ["deploy", { env: "PROD" }, 'env must be one of "dev", "prod"'],
  ])("of %s that are %j are refused in words", (name, args, problem) => {
    const parsed = parseArguments(tool(name), args);
    expect(parsed.ok ? "accepted" : parsed.message).toContain(problem);
  });

  it("are not merged with what an object inherits", () => {
    const args: unknown = JSON.parse('{"path": "a", "__proto__": {"offset": 5}}');
    const parsed = parseArguments(tool("read_file"), args);
    expect(parsed.ok ? "accepted" : parsed.message).toContain('unknown key "__proto__"');
  });
});

describe("declared paths", () => {
  it.each([
    ["read_file", { path: "./src//a/../b.ts" }, [{ path: "src/b.ts", use: "read", surface: "read-tool" }]],
    ["list_files", {}, [{ path: ".", use: "list", surface: "read-tool" }]],
    ["search", { query: "a", path: "../x" }, [{ path: "../x", use: "read", surface: "read-tool" }]],
    [
      "edit_file",
      { path: "/etc/hosts", old: "a", new: "b" },
      [{ path: "/etc/hosts", use: "write", surface: "edit-tool" }],
    ],
    ["write_file", { path: "a", content: "" }, [{ path: "a", use: "write", surface: "edit-tool" }]],
    ["delete_file", { path: "a" }, [{ path: "a", use: "delete", surface: "edit-tool" }]],
    [
      "move_file",
      { path: "a", to: "b/" },
      [
        { path: "a", use: "delete", surface: "edit-tool" },
        { path: "b", use: "write", surface: "edit-tool" },
      ],
    ],
    ["run_command", { command: "ls" }, []],
    ["run_command", { command: "ls", cwd: "../x" }, [{ path: "../x", use: "list", surface: "shell" }]],
    ["run_tests", {}, []],
    ["deploy", { env: "dev" }, []],
  ])("of %s %j", (name, args, expected) => {
    const parsed = parseArguments(tool(name), args);
    expect(parsed.ok && tool(name).paths(parsed.args)).toEqual(expected);
  });

  it.each([
    ["a/./b//c/", "a/b/c"],
    ["a/../..", ".."],
    ["a/../../b", "../b"],
    ["/../a", "/a"],
    ["/", "/"],
    [".", "."],
    ["a/..", "."],
    ["c#/100% é", "c#/100% é"],
    ["a\\..\\b", "a\\..\\b"],
  ])("normalise %j to %j", (path, expected) => {
    expect(normalisePath(path)).toBe(expected);
  });

  it.each([
    ["/work", "a/b", "/work/a/b", "a/b"],
    ["/work", ".", "/work", "."],
    ["/work", "../x", "/x", "/x"],
    ["/work", "/work/a", "/work/a", "a"],
    ["/work", "/workshop/a", "/workshop/a", "/workshop/a"],
    ["/work", "C:/a", "/work/C:/a", "C:/a"],
    ["/", "a", "/a", "a"],
    ["C:\\work", "a\\b", "C:/work/a/b", "a/b"],
    ["C:\\work", "c:\\WORK\\a", "c:/WORK/a", "a"],
    ["C:\\work", "D:\\x", "D:/x", "D:/x"],
    ["C:\\work", "D:\\..\\..\\x", "D:/x", "D:/x"],
    ["\\\\host\\share", "a\\..\\b", "//host/share/b", "b"],
  ])("resolve below %j: %j", (root, path, absolute, relative) => {
    expect(resolveWorkspacePath(root, path)).toEqual({ absolute, relative });
  });
});

describe("todowrite", () => {
  it("answers the whole ledger and hands it to the engine", async () => {
    const bench = new ToolBench();
    const result = await bench.call(todowrite, {
      todos: [
        { id: "x", text: "a", status: "completed" },
        { text: "b", status: "cancelled", reason: "no" },
      ],
    });
    expect(textOf(result).split("\n")).toEqual([
      "T1 [completed] a",
      "T2 [cancel requested: no] b",
      `Note: the id "x" is not one of this plan's and was ignored: the item is T1`,
      "Note: T2 stays open until a person agrees to cancel it",
    ]);
    const applied = applyTodos(emptyLedger, [
      { text: "a", status: "completed" },
      { text: "b", status: "cancelled", reason: "no" },
    ]);
    expect(result).toMatchObject({ ok: true, ledger: applied.ok && applied.ledger });
    const refused = await bench.call(todowrite, { todos: [{ id: "T1", text: "c", status: "pending" }] });
    expect(refused).toMatchObject({ ok: false, code: "invalid-arguments" });
    expect(refused).not.toHaveProperty("ledger");
    bench.dispose();
  });
});

describe("ask_human", () => {
  it("has no answer where nobody can be asked", async () => {
    const bench = new ToolBench();
    expect(await bench.call(askHuman, { question: "Which?" })).toMatchObject({ ok: false, code: "unavailable" });
    expect(askHuman.tags).toEqual(["ask"]);
    bench.dispose();
  });
});
