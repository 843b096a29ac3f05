// The commands that look: `verify` and `plan` at a workspace, `journal verify` and `journal show` at a run.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, useCli } from "../../support/cliRunner";
import { FakeModelServer } from "../../support/fakeModelServer";
import { temporaryWorkspace } from "../../support/temporaryWorkspace";

const cli = useCli();
const withCheck = (run: string): Record<string, string> => ({
  "donegate.yaml": `verify: { maxAttempts: 2, checks: [{ name: check, run: ${JSON.stringify(run)} }] }\n`,
});
const verify = (root: string, ...words: string[]) => cli(["verify", "--workspace", root, "--json", ...words]);

describe("verify", () => {
  it("passes with 0 when every check passes", async () => {
    const result = await verify(await temporaryWorkspace(withCheck("true")), "--trust-config");
    expect(result.code).toBe(0);
    expect(Object.keys(jsonOf(result))).toEqual(["verdict", "reason", "checks", "tree", "source"]);
    expect(jsonOf(result)).toMatchObject({ verdict: "VERIFIED", reason: "", source: "config" });
    expect(jsonOf(result)["tree"]).toMatch(/^[0-9a-f]{40}$/);
    expect(jsonOf(result)["checks"]).toEqual([
      expect.objectContaining({ name: "check", verdict: "pass", exitCode: 0 }),
    ]);
  });

  it("fails with 2 and the reason", async () => {
    const result = await verify(await temporaryWorkspace(withCheck("echo wrong row; exit 3")), "--trust-config");
    expect(result.code).toBe(2);
    expect(jsonOf(result)).toMatchObject({ verdict: "FALSE-COMPLETION" });
    expect(jsonOf(result)["reason"]).toContain("wrong row");
    expect(result.err).toContain("check: fail, exit code 3");
  });

  it("leaves it to a person when a check could not run", async () => {
    const root = await temporaryWorkspace({
      "donegate.yaml": "verify: { maxAttempts: 1, checks: [{ name: check, run: [no-such-program] }] }\n",
    });
    const result = await verify(root, "--trust-config");
    expect(result.code).toBe(2);
    expect(jsonOf(result)).toMatchObject({ verdict: "NEEDS-REVIEW" });
    expect(jsonOf(result)["reason"]).toContain("check check could not run: the program no-such-program was not found");
  });

  it("is no pass where nothing is checked", async () => {
    const none = await verify(await temporaryWorkspace());
    expect([none.code, jsonOf(none)["verdict"], jsonOf(none)["source"]]).toEqual([2, "none", "none"]);
    expect(jsonOf(none)["reason"]).toContain("no check was found");
    const off = await verify(await temporaryWorkspace({ "donegate.yaml": "verify: off\n" }), "--trust-config");
    expect([off.code, jsonOf(off)["verdict"], jsonOf(off)["reason"]]).toEqual([
      2,
      "none",
      "verification is off in donegate.yaml",
    ]);
  });

  it("runs the workspace's own checks where there is no configuration", async () => {
    const manifest = JSON.stringify({ scripts: { test: 'node -e "process.exit(0)"' } });
    const result = await verify(await temporaryWorkspace({ "package.json": manifest }));
    expect(result.code).toBe(0);
    expect(jsonOf(result)).toMatchObject({ verdict: "VERIFIED", source: "discovered" });
  });

  it("takes a configuration from elsewhere", async () => {
    const root = await temporaryWorkspace();
    const file = join(dirname(root), "other.yaml");
    writeFileSync(file, 'verify: { maxAttempts: 1, checks: [{ name: there, run: "true" }] }\n');
    const result = await verify(root, "--config", file, "--trust-config");
    expect(jsonOf(result)["checks"]).toEqual([expect.objectContaining({ name: "there", verdict: "pass" })]);
  });
});

describe("plan", () => {
  it("shows what decides, with a digest, and runs nothing", async () => {
    const root = await temporaryWorkspace({ ...withCheck("touch ran && sh check.sh"), "check.sh": "true\n" });
    const result = await cli(["plan", "--workspace", root, "--json"]);
    expect(result.code).toBe(0);
    const plan = jsonOf(result);
    expect(plan).toMatchObject({ source: "config", digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(plan["checks"]).toEqual([
      expect.objectContaining({
        name: "check",
        run: "touch ran && sh check.sh",
        cwd: ".",
        provenance: "donegate.yaml:1",
      }),
    ]);
    expect(plan["contract"]).toContainEqual({
      ...{ path: "check.sh", class: "frozen", digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
    expect(existsSync(join(root, "ran"))).toBe(false);
    expect(result.err).toContain("counts in a run once you have accepted it");
  });

  it("has another digest when what decides has changed", async () => {
    const root = await temporaryWorkspace({ ...withCheck("sh check.sh"), "check.sh": "true\n" });
    const digest = async () => jsonOf(await cli(["plan", "--workspace", root, "--json"]))["digest"];
    const before = await digest();
    expect(await digest()).toBe(before);
    writeFileSync(join(root, "check.sh"), "exit 0\n");
    expect(await digest()).not.toBe(before);
  });

  it("warns of what hides a failure", async () => {
    const { out } = await cli(["plan", "--workspace", await temporaryWorkspace(withCheck("false || true"))]);
    expect(out).toContain("hides");
  });

  it("says where the configuration switches all checks off", async () => {
    const manifest = JSON.stringify({ scripts: { test: "node --test" } });
    const root = await temporaryWorkspace({ "donegate.yaml": "verify: off\n", "package.json": manifest });
    const { code, out } = await cli(["plan", "--workspace", root]);
    expect(code).toBe(0);
    expect(out).toContain("Verification is off in donegate.yaml: nothing is checked");
    expect(out).not.toContain("No check was found");
  });

  it("says where nothing was found", async () => {
    const { code, out } = await cli(["plan", "--workspace", await temporaryWorkspace()]);
    expect(code).toBe(0);
    expect(out).toContain("No check was found: done will rest on structural checks alone");
  });
});

describe("journal", () => {
  async function finishedRun(text = "done"): Promise<string> {
    const root = await temporaryWorkspace({ "donegate.yaml": "verify: off\n" });
    const server = await FakeModelServer.start([
      { kind: "reply", calls: [{ name: "list_files", args: {} }] },
      { kind: "reply", text },
    ]);
    onTestFinished(() => server.close());
    const journal = join(dirname(root), "journal.jsonl");
    const words = ["run", "--workspace", root, "--journal", journal, "--base-url", server.baseUrl, "--model", "m"];
    const { code } = await cli([...words, "--trust-config", "look"]);
    if (code !== 0) throw new Error(`the run ended with ${code}`);
    return journal;
  }

  function change(journal: string, edit: (lines: string[]) => string[]): void {
    const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
    writeFileSync(journal, `${edit(lines).join("\n")}\n`);
  }

  const check = async (journal: string) => {
    const result = await cli(["journal", "verify", journal, "--json"]);
    return { code: result.code, view: jsonOf(result) };
  };

  it("is intact and sealed after a run", async () => {
    const { code, view } = await check(await finishedRun());
    expect(code).toBe(0);
    expect(view).toMatchObject({ intact: true, sealed: true, tornBytes: 0, status: "done", problems: [] });
  });

  it.each([
    [
      "a changed line",
      (lines: string[]) => lines.map((line, at) => (at === 1 ? line.replace("{", "{ ") : line)),
      { intact: false },
    ],
    ["a missing line", (lines: string[]) => lines.filter((_line, at) => at !== 2), { intact: false }],
    [
      "a changed last line",
      (lines: string[]) => lines.map((line) => line.replace('"outcome":"success"', '"outcome":"Success"')),
      { sealed: false },
    ],
    ["a torn end", (lines: string[]) => [...lines, '{"half":'], { tornBytes: 9 }],
    ["no line at all", () => [""], { intact: false }],
  ])("fails with 2 for %s", async (_what, edit, expected) => {
    const journal = await finishedRun();
    change(journal, edit);
    const { code, view } = await check(journal);
    expect(code).toBe(2);
    expect(view).toMatchObject(expected);
  });

  it("has no valid seal where it has no line", async () => {
    const journal = join(dirname(await temporaryWorkspace()), "journal.jsonl");
    writeFileSync(journal, "");
    expect((await check(journal)).view).toMatchObject({ intact: false, sealed: false, lines: 0 });
    const { code, out } = await cli(["journal", "verify", journal]);
    expect(code).toBe(2);
    expect(out).toContain("Seals: there is no line");
    expect(out).not.toContain("valid");
  });

  it("fails with 2 when others can read the key of its seals", async () => {
    const journal = await finishedRun();
    chmodSync(join(dirname(journal), "journal.d", "key"), 0o644);
    const { code, view } = await check(journal);
    expect([code, view["intact"], view["sealed"]]).toEqual([2, true, false]);
  });

  it("is shown as a story in which nothing hidden stays hidden", async () => {
    const journal = await finishedRun("all good\u202e\u001b[2J");
    const { code, out } = await cli(["journal", "show", journal]);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {3}1 \d\d:\d\d:\d\d agent_start$/m);
    expect(out).toContain("Goal: look");
    expect(out).toContain("all good\\u{202e}\\u{1b}[2J");
    expect(out).not.toContain("\u001b");
    expect(out).toContain("Ended: done: the agent finished");
  });

  it("is shown whole as one object with --json", async () => {
    const journal = await finishedRun();
    const result = await cli(["journal", "show", journal, "--json"]);
    const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
    expect(jsonOf(result)["events"]).toEqual(lines.map((line) => JSON.parse(line) as unknown));
  });

  it("is shown as far as it can be read, with what is wrong about it", async () => {
    const journal = await finishedRun();
    change(journal, (lines) => [
      lines[0] ?? "",
      '{"v":1,"seq":2,"run":"x","type":"tool_end"}',
      '{"v":9,"seq":3,"run":"x","type":"new_thing"}',
    ]);
    const { code, out } = await cli(["journal", "show", journal]);
    expect(code).toBe(0);
    expect(out).toContain("Problem: line 2 belongs to another run");
    expect(out).toContain("new_thing");
  });

  it("is an error where there is none", async () => {
    const { code, err } = await cli(["journal", "show", "/nowhere.jsonl"]);
    expect([code, err]).toEqual([1, "there is no journal /nowhere.jsonl\n"]);
  });
});
