// Runs inside VS Code's extension host: mocha over every *.test.js beside it, results into the file the runner named.
import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Mocha from "mocha";

interface HostResult {
  title: string;
  state: "passed" | "failed" | "pending";
  error: string | null;
  durationMs: number;
}

export async function run(): Promise<void> {
  const report = process.env["DONEGATE_HOST_REPORT"];
  if (report === undefined) throw new Error("DONEGATE_HOST_REPORT does not name a file");
  const mocha = new Mocha({ ui: "bdd", timeout: 30_000, reporter: "min", forbidOnly: true, forbidPending: true });
  for (const file of readdirSync(__dirname).filter((name) => name.endsWith(".test.js"))) {
    mocha.addFile(join(__dirname, file));
  }
  const results: HostResult[] = [];
  const strays = collectStrays();
  const failed = await new Promise<number>((settle) => {
    const runner = mocha.run(settle);
    runner.on("pass", (test) => results.push(toResult(test, "passed", null)));
    // A hook that fails is reported here too.
    runner.on("fail", (test, error: Error) => results.push(toResult(test, "failed", error.stack ?? error.message)));
    runner.on("pending", (test) => results.push(toResult(test, "pending", null)));
  });
  for (const error of strays) {
    results.push({ title: "a promise that nobody waited for", state: "failed", error, durationMs: 0 });
  }
  const failures = failed + strays.length;
  writeFileSync(report, JSON.stringify({ results, failures }));
  if (failures > 0) throw new Error(`${failures} failed`);
}

/** What nobody caught in our own code: other extensions run in the same process. Grows until the process ends. */
function collectStrays(): readonly string[] {
  const bundles = dirname(dirname(__dirname));
  const strays: string[] = [];
  const collect = (reason: unknown): void => {
    const text = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    if (!(reason instanceof Error) || text.includes(bundles)) strays.push(text);
  };
  process.on("unhandledRejection", collect);
  process.on("uncaughtExceptionMonitor", collect);
  return strays;
}

function toResult(test: Mocha.Runnable, state: HostResult["state"], error: string | null): HostResult {
  return { title: test.fullTitle(), state, error, durationMs: test.duration ?? 0 };
}
