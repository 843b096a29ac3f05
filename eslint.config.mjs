import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";
import { importTable } from "./.ci/lint/importTable.mjs";

const typescriptFiles = ["extension/**/*.ts", "webview/**/*.{ts,tsx}", "test/**/*.ts", "vitest.config.mts"];

const impureGlobals = {
  process: "take what the process knows through a port",
  Buffer: "use Uint8Array with TextEncoder and TextDecoder",
  setTimeout: "the Clock port owns timers",
  setInterval: "the Clock port owns timers",
  setImmediate: "the Clock port owns timers",
  clearTimeout: "the Clock port owns timers",
  clearInterval: "the Clock port owns timers",
  performance: "use the Clock port",
  console: "emit an event or return a value",
  fetch: "use the ModelClient port",
  crypto: "use the Hasher and Ids ports",
  require: "import statically",
  globalThis: "take it through a port",
};

const skippedTest =
  "MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(skip|only|todo|skipIf|runIf|fails)$/]";

const zodObject = {
  selector:
    "ImportDeclaration[source.value='zod'] > :matches(ImportSpecifier[imported.name='z'], ImportDefaultSpecifier)",
  message: 'write `import * as z from "zod"`: the object z drags every language of zod into the bundles',
};

export default defineConfig(
  {
    ignores: ["**/node_modules/", "dist/", ".cache/", "coverage/", "test-output/", "test/fixtures/"],
  },
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { donegate: { rules: { "import-table": importTable } } },
    rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error" },
  },
  {
    files: typescriptFiles,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "donegate/import-table": "error",
      "no-console": "error",
      "no-restricted-syntax": ["error", zodObject],
      "no-empty": ["error", { allowEmptyCatch: false }],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "separate-type-imports" }],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
      // An implementation of an asynchronous port need not await.
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ["extension/core/**/*.ts"],
    ignores: ["**/*.d.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...Object.entries(impureGlobals).map(([name, advice]) => ({ name, message: `core is pure: ${advice}` })),
      ],
      "no-restricted-properties": [
        "error",
        { object: "Date", property: "now", message: "core is pure: use the Clock port" },
        { object: "Math", property: "random", message: "core is pure: use the Ids port" },
      ],
      "no-restricted-syntax": [
        "error",
        zodObject,
        {
          selector: ":matches(NewExpression[arguments.length=0], CallExpression)[callee.name='Date']",
          message: "core is pure: use the Clock port",
        },
      ],
    },
  },
  {
    files: ["extension/cli/**/*.ts"],
    rules: { "no-console": "off" },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        zodObject,
        { selector: skippedTest, message: "no skipped, focused or promised tests" },
      ],
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
);
