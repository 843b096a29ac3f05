// A test that must fail, added to a copy of the tests: a runner that reports it as passed would pass anything.

export interface Canary {
  /** Whether tests can be added to this file; a path with `/`. */
  isTestFile(path: string): boolean;
  /** The file's text with tests behind it that must fail, one a shape; each has `name` in its own name. */
  append(text: string, path: string, name: string): string;
}

const scriptTest = /(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)(?:tests?|__tests__)\/.*\.[cm]?[jt]sx?)$/;

const isModule = (text: string, path: string): boolean =>
  /\.m[jt]s$/.test(path) || /^\s*(?:import|export)\b/m.test(text);

const assertShapes = (assert: string): string[] => [
  `${assert}.strictEqual(1, 2)`,
  `${assert}.equal("a", "b")`,
  `${assert}.deepStrictEqual({ a: 1 }, { a: 2 })`,
  `${assert}.ok(0 > 1)`,
  `${assert}.strict.equal(1, 2)`,
  `${assert}.strict.deepEqual([1], [2])`,
  `throw new Error("no")`,
];

const expectShapes = (expect: string): string[] => [
  `${expect}(1).toBe(2)`,
  `${expect}({ a: 1 }).toEqual({ a: 2 })`,
  `${expect}([1]).toStrictEqual([2])`,
  `${expect}(0).toBeTruthy()`,
  `throw new Error("no")`,
];

function scriptTests(text: string, head: string, test: string, shapes: readonly string[], name: string): string {
  const tests = shapes.map((shape, at) => `${test}("${name} ${at}", () => { ${shape}; });`);
  return [text, head, ...tests, ""].join("\n");
}

/** `test` and `assert` come from Node itself. */
export const nodeCanary: Canary = {
  isTestFile: (path) => scriptTest.test(path) || /(?:^|\/)(?:test|test-[^/]*|[^/]*[-_]test)\.[cm]?js$/.test(path),
  append: (text, path, name) => {
    const head = isModule(text, path)
      ? `import { test as ${name}_t } from "node:test"; import ${name}_a from "node:assert";`
      : `const ${name}_t = require("node:test").test, ${name}_a = require("node:assert");`;
    return /\bnode:test\b/.test(text) ? scriptTests(text, head, `${name}_t`, assertShapes(`${name}_a`), name) : text;
  },
};

export const vitestCanary: Canary = {
  isTestFile: (path) => /\.(?:test|spec)\.[cm]?[jt]sx?$/.test(path),
  append: (text, _path, name) => {
    const head = `import { test as ${name}_t, expect as ${name}_e } from "vitest";`;
    return scriptTests(text, head, `${name}_t`, expectShapes(`${name}_e`), name);
  },
};

export const jestCanary: Canary = {
  isTestFile: (path) => /(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?)$/.test(path),
  append: (text, _path, name) => scriptTests(text, "", "test", expectShapes("expect"), name),
};

export const mochaCanary: Canary = {
  isTestFile: (path) => scriptTest.test(path),
  append: (text, path, name) => {
    const load = (module: string): string =>
      isModule(text, path) ? `(await import("${module}"))` : `require("${module}")`;
    const test = /\bit\s*\(/.test(text) ? "it" : "test";
    if (!/\b(?:it|test)\s*\(/.test(text)) return text;
    const assert = isModule(text, path) ? `${load("node:assert")}.default` : load("node:assert");
    const shapes = [
      ...assertShapes(assert),
      ...(/["']chai["']/.test(text) ? [`${load("chai")}.expect(1).to.equal(2)`] : []),
    ];
    const tests = shapes.map((shape, at) => `${test}("${name} ${at}", async () => { ${shape}; });`);
    return [text, ...tests, ""].join("\n");
  },
};

export const pytestCanary: Canary = {
  isTestFile: (path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path),
  append: (text, _path, name) => {
    const shapes = ["assert 1 == 2", "assert [1] == [2]", "assert not [0]", 'raise ValueError("no")'];
    const tests = shapes.map((shape, at) => `def test_${name}_${at}():\n    ${shape}\n`);
    return [text, ...tests].join("\n\n");
  },
};
