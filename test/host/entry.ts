// Runs inside VS Code's extension host: mocha over every *.test.js beside it, results into the file the runner named.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
  const failures = await new Promise<number>((settle) => {
    const runner = mocha.run(settle);
    runner.on("pass", (test) => results.push(toResult(test, "passed", null)));
    // A hook that fails is reported here too.
    runner.on("fail", (test, error: Error) => results.push(toResult(test, "failed", error.stack ?? error.message)));
    runner.on("pending", (test) => results.push(toResult(test, "pending", null)));
  });
  writeFileSync(report, JSON.stringify({ results, failures }));
  if (failures > 0) throw new Error(`${failures} failed`);
}

function toResult(test: Mocha.Runnable, state: HostResult["state"], error: string | null): HostResult {
  return { title: test.fullTitle(), state, error, durationMs: test.duration ?? 0 };
}
