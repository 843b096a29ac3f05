import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Last, it would run for minutes beside an idle worker. */
const longest = /faults\.spec\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted].sort((a, b) => Number(longest.test(b.moduleId)) - Number(longest.test(a.moduleId)));
  }
}

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
    sequence: { sequencer: LongestFirst },
  },
});
