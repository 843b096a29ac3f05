import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/unit/**/*.spec.ts", "test/attacks/**/*.spec.ts", "test/story/**/*.spec.ts"],
    environment: "node",
    allowOnly: false,
    passWithNoTests: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A condition that holds is seen at once; the default of one second only fails machines that are busy.
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
  },
});
