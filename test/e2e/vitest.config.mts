import { defineConfig } from "vitest/config";

export default defineConfig({
  // Else a node_modules folder would appear beside this file.
  cacheDir: "../../node_modules/.vite-e2e",
  test: {
    root: import.meta.dirname,
    include: ["**/*.spec.ts"],
    environment: "node",
    allowOnly: false,
    passWithNoTests: false,
    // A workbench takes up to ten seconds to open; one at a time, so that two cores are enough.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    maxWorkers: 1,
  },
});
