// What the snapshots say about a run: whose change it was, what it left behind, and whether the judged tree still stands.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JournaledEvent } from "../../../extension/core";
import type { ModelStep } from "../../support/modelScript";
import { fingerprint } from "../../support/snapshotWorkspace";
import { playStory } from "../../support/storyScript";
import { answersInTurn, call, say, WorkspaceBench } from "../../support/workspaceBench";

const oneAttempt = { maxAttempts: 1 };
const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });

function lastVerdicts(events: readonly JournaledEvent[]): Record<string, { verdict: string; reason: string }> {
  const checks = events.flatMap((event) => (event.type === "check_end" ? [event.check] : []));
  return Object.fromEntries(checks.map(({ name, verdict, reason }) => [name, { verdict, reason }]));
}

describe("the person's own git", () => {
  it("is not touched by a run, byte for byte", { timeout: 30_000 }, async () => {
    const bench = WorkspaceBench.story();
    bench.git("init", "-q");
    bench.git("add", "data.csv");
    bench.git("commit", "-qm", "first");
    bench.git("add", "summation.py");
    const before = fingerprint(join(bench.root, ".git"));
    const approver = answersInTurn({ deny: "not yet" }, { approve: true }, { approve: true });
    const started = await bench.start(playStory, {}, approver);
    expect((await started.end()).end?.status).toBe("done");
    expect(fingerprint(join(bench.root, ".git"))).toEqual(before);
    expect(bench.git("diff", "--cached", "--name-only")).toBe("summation.py\n");
  });
});

describe("the diff check", () => {
  it("fails when nothing has changed", async () => {
    const bench = new WorkspaceBench();
    bench.put("a.txt", "a\n");
    const started = await bench.start([call({ name: "read_file", args: { path: "a.txt" } }), say("done")], oneAttempt);
    const state = await started.end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "completion" });
    expect(state.end?.stoppedBy).toMatch(/^completion\.verify failed 1×: nothing has changed: no file differs/);
  });

  it("does not take a change that was undone again for an effect", async () => {
    const bench = new WorkspaceBench();
    bench.put("a.txt", "a\n");
    const edit = (old: string, next: string) => ({ name: "edit_file", args: { path: "a.txt", old, new: next } });
    const started = await bench.start([call(edit("a", "b")), call(edit("b", "a")), say("done")], oneAttempt);
    await started.end();
    expect(lastVerdicts(started.events)["diff"]?.verdict).toBe("fail");
  });

  it("leaves out what the person edits while the run goes on", async () => {
    const bench = new WorkspaceBench();
    bench.put("a.txt", "a\n");
    bench.put("build/.gitkeep", "");
    const steps: readonly ModelStep[] = [call({ name: "list_files", args: {} }), say("done")];
    const script = (_request: unknown, index: number): ModelStep | null => {
      bench.put("a.txt", "a, and more by hand\n");
      bench.put("mine.txt", "new by hand\n");
      return steps[index] ?? null;
    };
    const started = await bench.start(script, oneAttempt);
    await started.end();
    expect(lastVerdicts(started.events)["diff"]).toMatchObject({ verdict: "fail" });
  });

  it("counts a change in an ignored and in an untracked file", async () => {
    for (const path of ["ignored.txt", "untracked.txt"]) {
      const bench = new WorkspaceBench();
      bench.git("init", "-q");
      bench.put(".gitignore", "ignored.txt\n");
      const started = await bench.start([call(write(path, "new\n")), say("done")], oneAttempt);
      expect((await started.end()).end?.status, path).toBe("done");
    }
  });

  it("names a secret in added content by file and line, masked, and keeps it out of the journal", async () => {
    const bench = new WorkspaceBench();
    const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    bench.put("old.txt", "first\n");
    const started = await bench.start(
      [
        call(
          { name: "read_file", args: { path: "old.txt" } },
          write("src/config.py", `import os\n\nTOKEN = "${secret}"\n`),
        ),
        say("done"),
      ],
      oneAttempt,
    );
    const state = await started.end();
    const { verdict, reason } = lastVerdicts(started.events)["diff"] ?? {};
    expect(verdict).toBe("fail");
    expect(reason).toContain("src/config.py:3 (");
    expect(reason).not.toContain(secret);
    expect(state.end?.status).toBe("incomplete");
    expect(bench.read("src/config.py")).toContain(secret);
    expect(readFileSync(bench.journal, "utf8")).not.toContain(secret);
  });

  it("does not hold a secret against the run that stood in the file before", async () => {
    const bench = new WorkspaceBench();
    const line = `token = "ghp_${"a1B2c3D4e5F6".repeat(3)}"\n`;
    bench.put("config.toml", `${line}name = "old"\n`);
    const edit = { name: "edit_file", args: { path: "config.toml", old: '"old"', new: '"new"' } };
    const started = await bench.start([call(edit), say("done")], oneAttempt);
    expect((await started.end()).end?.status).toBe("done");
  });
});

describe("a pass", () => {
  it("binds to the tree it judged: an edit afterwards is another tree", async () => {
    const bench = new WorkspaceBench();
    bench.put("a.txt", "a\n");
    const started = await bench.start([call(write("b.txt", "b\n")), say("done")], oneAttempt);
    const state = await started.end();
    const { snapshots } = bench.ports();
    const takeTree = async (): Promise<string | null> => {
      const picture = await snapshots.take(new AbortController().signal);
      return picture.ok ? picture.tree : null;
    };
    expect(state.lastVerification).toMatchObject({ passed: true });
    expect(await takeTree()).toBe(state.lastVerification?.tree);
    expect(state.lastVerification?.treeAfter).toBe(state.lastVerification?.tree);
    bench.put("a.txt", "edited after the pass\n");
    expect(await takeTree()).not.toBe(state.lastVerification?.treeAfter);
  });

  it("is no pass for a later edit of the run itself: a second message is judged again", async () => {
    const bench = new WorkspaceBench();
    bench.put("a.txt", "a\n");
    const started = await bench.start([call(write("b.txt", "b\n")), say("done")], { maxAttempts: 3 });
    await started.end();
    await bench.serve([call(write("c.txt", "c\n")), say("done again")]);
    const resumed = await bench.resume([{ type: "human_message", text: "Write c.txt as well.", by: "Ada" }]);
    const state = await resumed.end();
    expect(resumed.events.filter((event) => event.type === "verification_end")).toHaveLength(1);
    expect(state.end?.status).toBe("done");
    expect(state.attempts).toBe(2);
  });
});
