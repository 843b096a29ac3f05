// The same small project for each runner: `adds` is red until `add` is right, `zero` is green from the start.
import { expect } from "vitest";
import { python } from "./checkBench";
import { runEvidence, write, type EvidenceCase } from "./evidenceRun";

interface Suite {
  files: Record<string, string>;
  run: string[];
  product: string;
}

export const addSuites = {
  "node:test": {
    run: ["node", "--test"],
    product: "add.mjs",
    files: {
      "add.mjs": "export const add = (a, b) => a - b;\n",
      "add.test.mjs":
        'import { test } from "node:test";\nimport assert from "node:assert/strict";\nimport { add } from "./add.mjs";\ntest("adds", () => assert.equal(add(2, 3), 5));\ntest("zero", () => assert.equal(add(0, 0), 0));\n',
    },
  },
  vitest: {
    run: ["npx", "vitest", "run"],
    product: "add.mjs",
    files: {
      "add.mjs": "export const add = (a, b) => a - b;\n",
      "add.test.mjs":
        'import { test, expect } from "vitest";\nimport { add } from "./add.mjs";\ntest("adds", () => expect(add(2, 3)).toBe(5));\ntest("zero", () => expect(add(0, 0)).toBe(0));\n',
    },
  },
  mocha: {
    run: ["npx", "mocha", "test/add.test.cjs"],
    product: "add.cjs",
    files: {
      "add.cjs": "exports.add = (a, b) => a - b;\n",
      "test/add.test.cjs":
        'const assert = require("node:assert/strict");\nconst { add } = require("../add.cjs");\nit("adds", () => assert.equal(add(2, 3), 5));\nit("zero", () => assert.equal(add(0, 0), 0));\n',
    },
  },
  pytest: {
    run: [python, "-m", "pytest", "-q"],
    product: "add.py",
    files: {
      "add.py": "def add(a, b):\n    return a - b\n",
      "test_add.py":
        "from add import add\ndef test_adds():\n    assert add(2, 3) == 5\ndef test_zero():\n    assert add(0, 0) == 0\n",
    },
  },
} satisfies Record<string, Suite>;

/** The agent writes this as the product and says that it is done. */
export function attack(suite: Suite, product: string, more: Partial<EvidenceCase> = {}): EvidenceCase {
  return { files: suite.files, run: suite.run, turns: [[write(suite.product, product)]], ...more };
}

export async function expectNotDone(given: EvidenceCase, says: RegExp): Promise<void> {
  const { state, outcome } = await runEvidence(given);
  expect(state.end?.status).not.toBe("done");
  expect(outcome.verdict).not.toBe("VERIFIED");
  expect(state.lastVerification?.reason ?? state.end?.stoppedBy).toMatch(says);
}
