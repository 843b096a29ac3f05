// What a person does wrong or lacks: each gives one clear message that says what to do, and an exit code to go by.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { refuseReadOnlyRoot } from "../../../extension/cli/writableRoot";
import { jsonOf, useCli } from "../../support/cliRunner";
import { FakeModelServer } from "../../support/fakeModelServer";
import type { ModelScript } from "../../support/modelScript";
import { temporaryWorkspace } from "../../support/temporaryWorkspace";

const cli = useCli();
const withKey = { DONEGATE_API_KEY: "test-key-1234567890" };

async function serve(script: ModelScript): Promise<string> {
  const server = await FakeModelServer.start(script);
  onTestFinished(() => server.close());
  return server.baseUrl;
}

/** A port of this machine where nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("a wrong command line ends with 64 and its usage", () => {
  it.each([
    [[], "no command is given"],
    [["bogus"], 'there is no command "bogus"'],
    [["journal"], 'there is no command "journal"'],
    [["run"], "give one goal"],
    [["run", "a", "b"], "give one goal, in quotes"],
    [["run", "--modle", "x", "goal"], "unknown option --modle"],
    [["run", "goal", "--model"], "--model needs a value"],
    [["run", "--model", "a", "--model", "b", "goal"], "--model is given twice"],
    [["resume", "--journal", "x", "goal"], "resume takes no goal"],
    [["verify", "x"], "verify takes no operand"],
    [["journal", "verify"], "name one journal"],
  ])("%j", async (words, message) => {
    const { code, err, out } = await cli(words);
    expect([code, out]).toEqual([64, ""]);
    expect(err).toContain(message);
    expect(err).toContain("usage:");
  });

  it.each([
    [["run", "--model", "demo", " "], "the goal is empty"],
    [["run", "--kind", "x", "goal"], "--kind is one of auto, edit, question"],
    [["run", "--on-ask", "allow", "goal"], '--on-ask knows only "deny"'],
    [["run", "--max-attempts", "0", "goal"], "--max-attempts is a whole number of at least 1"],
    [["run", "--context-window", "0", "goal"], "--context-window is a whole number of tokens"],
    [["run", "--context-window", "32k", "goal"], "--context-window is a whole number of tokens"],
    [["run", "--max-attempts", "1.5", "goal"], "--max-attempts is a whole number of at least 1"],
    [["resume"], "name the journal: --journal FILE"],
    [["resume", "--journal", "x", "--deny", "A1"], "--deny A1 needs its reason"],
  ])("%j", async (words, message) => {
    const { code, err } = await cli(words);
    expect(code).toBe(64);
    expect(err).toContain(message);
  });

  it("prints the whole outcome with --json all the same, and nothing in it looks like success", async () => {
    const result = await cli(["run", "--json", "--modle", "x", "goal"]);
    expect(result.code).toBe(64);
    expect(jsonOf(result)).toMatchObject({ status: "error", verdict: "none", runId: null, checks: [], journal: null });
    expect(jsonOf(result)["stoppedBy"]).toContain("unknown option --modle");
  });

  it("prints the usage to standard output where it is asked for", async () => {
    const { code, out } = await cli(["--help"]);
    expect(code).toBe(0);
    expect(out).toContain("donegate resume --journal FILE");
  });
});

describe("a workspace that cannot be one", () => {
  it("does not exist", async () => {
    const { code, err } = await cli(["run", "--workspace", "/nowhere/at/all", "--model", "demo", "goal"]);
    expect(code).toBe(1);
    expect(err).toContain("the workspace folder /nowhere/at/all does not exist: check --workspace");
  });

  it("is a file", async () => {
    const root = await temporaryWorkspace({ "a.txt": "x" });
    const { code, err } = await cli(["verify", "--workspace", join(root, "a.txt")]);
    expect(code).toBe(1);
    expect(err).toContain("is a file, not a folder");
  });

  // Permission bits do not bind root; without these capabilities they do.
  const through = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];

  async function readOnlyRoot(): Promise<string> {
    const root = await temporaryWorkspace({ "a.txt": "x" });
    chmodSync(root, 0o555);
    onTestFinished(() => chmodSync(root, 0o755));
    return root;
  }

  it("is read-only, which is found before anything starts", async () => {
    const root = await readOnlyRoot();
    const journal = join(dirname(root), "journal.jsonl");
    const words = ["run", "--workspace", root, "--journal", journal, "--model", "demo", "--json", "goal"];
    const result = await cli(words, { through });
    expect(result.code).toBe(1);
    expect(result.err).toContain(`the workspace folder ${root} cannot be written (EACCES: make it writable`);
    expect(result.err).not.toContain("Goal:");
    expect(jsonOf(result)).toMatchObject({ status: "error", runId: null });
    expect(existsSync(journal)).toBe(false);
  });

  it("is read-only, and can be asked a question all the same", async () => {
    const root = await readOnlyRoot();
    const url = await serve([
      { kind: "reply", calls: [{ name: "list_files", args: {} }] },
      { kind: "reply", text: "There is one file, a.txt." },
    ]);
    const words = ["run", "--workspace", root, "--kind", "question", "--model", "m", "--base-url", url, "goal"];
    const { out } = await cli(words, { through });
    expect(out).toContain("There is one file, a.txt.");
  });

  it("lies on a read-only file system", async () => {
    const probe = () => Promise.reject(Object.assign(new Error("read-only"), { code: "EROFS" }));
    const refused = await refuseReadOnlyRoot("/mnt/disc", probe);
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused?.message).toContain(
      "/mnt/disc cannot be written (it lies on a file system that is mounted read-only",
    );
  });
});

describe("a model that is not there", () => {
  it("was not named", async () => {
    const { code, err } = await cli(["run", "--workspace", await temporaryWorkspace(), "goal"]);
    expect(code).toBe(1);
    expect(err).toContain("--model NAME");
    expect(err).toContain("DONEGATE_MODEL");
  });

  it("has no key", async () => {
    const words = ["run", "--workspace", await temporaryWorkspace(), "--model", "m", "--json", "goal"];
    const result = await cli([...words, "--base-url", "https://models.example/v1"]);
    expect(result.code).toBe(1);
    expect(jsonOf(result)).toMatchObject({ status: "error", limit: null });
    expect(jsonOf(result)["stoppedBy"]).toContain("set DONEGATE_API_KEY or OPENAI_API_KEY");
  });

  it("has a base URL that is none", async () => {
    const words = ["run", "--workspace", await temporaryWorkspace(), "--model", "m", "--base-url", "nonsense", "goal"];
    const { code, out } = await cli(words, { env: withKey });
    expect(code).toBe(1);
    expect(out).toContain("the base URL nonsense is not usable");
  });

  it.each([
    ["localhost:11434", "http://localhost:11434"],
    ["localhost:11434/v1", "http://localhost:11434/v1"],
    ["127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"],
  ])("has the base URL %s, which lacks its scheme", async (given, meant) => {
    const words = ["run", "--workspace", await temporaryWorkspace(), "--model", "m", "--base-url", given, "goal"];
    const { code, out } = await cli(words);
    expect(code).toBe(1);
    expect(out).toContain(`the base URL ${given} has no scheme: add http://, as in ${meant}`);
  });

  it("has a port that no request may go to, and is not tried again", async () => {
    const url = "http://127.0.0.1:9/v1";
    const words = ["run", "--workspace", await temporaryWorkspace(), "--model", "m", "--base-url", url, "goal"];
    const { code, out } = await cli(words, { env: withKey });
    expect(code).toBe(1);
    expect(out).toContain(`the port of ${url} is closed to web requests by the fetch standard: choose another port`);
    expect(out).not.toContain("the next try");
  });

  it("cannot be reached", async () => {
    const url = `http://127.0.0.1:${await closedPort()}/v1`;
    const words = ["run", "--workspace", await temporaryWorkspace(), "--model", "m", "--base-url", url, "goal"];
    const { code, out } = await cli(words, { env: withKey });
    expect(code).toBe(1);
    expect(out).toContain(`nothing listens at ${url}: is the model server running?`);
    expect(out).toContain("the next try is in 1 s");
  });

  it("keeps a key that the server repeats out of every surface", async () => {
    const [shape, own] = ["sk-proj-0123456789abcdefghij", "plain-value-of-a-variable"];
    const body = { error: { message: `bad key ${shape}, not ${own}` } };
    const words = ["run", "--json", "--workspace", await temporaryWorkspace(), "--model", "m"];
    const url = await serve([{ kind: "http", status: 401, body }]);
    const { out, err } = await cli([...words, "--base-url", url, "Go."], { env: { ...withKey, SOME_TOKEN: own } });

    expect(out).toContain("bad key «redacted:api-key», not «redacted:SOME_TOKEN»");
    for (const secret of [shape, own]) expect(out + err).not.toContain(secret);
  });

  it("refuses the key, which is never shown", async () => {
    const body = { error: { message: "Incorrect API key provided: test-key-1234567890", code: "invalid_api_key" } };
    const url = await serve([{ kind: "http", status: 401, body }]);
    const words = ["run", "--workspace", await temporaryWorkspace(), "--model", "m", "--base-url", url, "goal"];
    const { code, out, err } = await cli(words, { env: withKey });
    expect(code).toBe(1);
    expect(out).toContain("refused the API key");
    expect(out).toContain("Check DONEGATE_API_KEY or OPENAI_API_KEY");
    expect(out + err).not.toContain("test-key-1234567890");
  });

  it("is not known to the server", async () => {
    const body = { error: { message: "The model `m` does not exist", code: "model_not_found" } };
    const url = await serve([{ kind: "http", status: 404, body }]);
    const words = ["run", "--workspace", await temporaryWorkspace(), "--model", "m", "--base-url", url, "goal"];
    const { code, out } = await cli(words, { env: withKey });
    expect(code).toBe(1);
    expect(out).toContain("does not know the model m");
  });
});

describe("a configuration that is not valid", () => {
  const broken = "verify:\n  maxAttempts: 0\n  chekcs: []\n";

  it.each([["run"], ["verify"], ["plan"]])("stops %s with path, line and column of every problem", async (command) => {
    const root = await temporaryWorkspace({ "donegate.yaml": broken });
    const goal = command === "run" ? ["--model", "demo", "goal"] : [];
    const { code, err } = await cli([command, "--workspace", root, ...goal]);
    expect(code).toBe(1);
    expect(err).toContain(`${root}/donegate.yaml:2:16: verify.maxAttempts: has to be at least 1`);
    expect(err).toContain(`${root}/donegate.yaml:3:3: verify: unknown key "chekcs" (did you mean "checks"?)`);
  });

  it("is an error where --config names a file that is not there", async () => {
    const { code, err } = await cli(["plan", "--workspace", await temporaryWorkspace(), "--config", "none.yaml"]);
    expect(code).toBe(1);
    expect(err).toContain("none.yaml does not exist");
  });

  it("is an error where the file cannot be read, and never counts as absent", async () => {
    const root = await temporaryWorkspace();
    mkdirSync(join(root, "donegate.yaml"));
    const { code, err } = await cli(["plan", "--workspace", root]);
    expect(code).toBe(1);
    expect(err).toContain("donegate.yaml cannot be read: EISDIR");
  });

  it("is an error where the file is not text", async () => {
    const root = await temporaryWorkspace();
    writeFileSync(join(root, "donegate.yaml"), Buffer.from([0x76, 0xff, 0xfe]));
    const { code, err } = await cli(["plan", "--workspace", root]);
    expect(code).toBe(1);
    expect(err).toContain("it is not UTF-8 text");
  });

  it("names an agent that nobody defined", async () => {
    const words = ["run", "--workspace", await temporaryWorkspace(), "--model", "demo", "--agent", "shipper", "goal"];
    const { code, err } = await cli(words);
    expect(code).toBe(1);
    expect(err).toContain("there is no agent shipper");
  });
});

describe("a configuration that nobody has accepted", () => {
  const text = 'verify: { maxAttempts: 2, checks: [{ name: t, run: "touch ran" }] }\n';

  it.each([["run"], ["verify"]])(
    "stops %s before anything runs, naming the flag and what it would trust",
    async (command) => {
      const root = await temporaryWorkspace({ "donegate.yaml": text });
      const goal = command === "run" ? ["--model", "demo", "goal"] : [];
      const { code, err } = await cli([command, "--workspace", root, ...goal]);
      expect(code).toBe(1);
      expect(err).toContain("--trust-config");
      expect(err).toContain("check t: touch ran");
    },
  );
});

describe("a journal in the wrong place", () => {
  const run = (root: string, journal: string, cwd: string) =>
    cli(["run", "--workspace", root, "--model", "demo", "--journal", journal, "goal"], { cwd });

  it("lies in the workspace", async () => {
    const root = await temporaryWorkspace();
    const { code, err } = await run(root, "journal.jsonl", root);
    expect(code).toBe(64);
    expect(err).toContain(`name a file outside of ${root}`);
  });

  it("lies in the workspace by way of a link", async () => {
    const root = await temporaryWorkspace();
    symlinkSync(root, join(root, "..", "elsewhere"));
    expect((await run(root, join(root, "..", "elsewhere", "new", "j.jsonl"), root)).code).toBe(64);
  });

  it("is a folder", async () => {
    const root = await temporaryWorkspace();
    const { code, err } = await run(root, join(root, ".."), root);
    expect(code).toBe(1);
    expect(err).toContain("is a folder: name a file");
  });

  it("is in use already, which is what resume is for", async () => {
    const root = await temporaryWorkspace();
    const journal = join(root, "..", "j.jsonl");
    writeFileSync(journal, "{}\n");
    const { code, err } = await run(root, journal, root);
    expect(code).toBe(1);
    expect(err).toContain(`donegate resume --journal ${journal}`);
  });
});

describe("a state folder that cannot be written", () => {
  const demo = ["--model", "demo", "goal"];

  it("stops a run before it begins", async () => {
    const root = await temporaryWorkspace();
    const blocked = join(root, "..", "state");
    writeFileSync(blocked, "a file in the place of a folder");
    const { code, err } = await cli(["run", "--workspace", root, ...demo], { env: { XDG_STATE_HOME: blocked } });
    expect(code).toBe(1);
    expect(err).toContain("cannot be written");
    expect(err).toContain("XDG_STATE_HOME");
  });

  it("ends a run whose journal lies elsewhere with an error, before the model is asked", async () => {
    const root = await temporaryWorkspace();
    const blocked = join(root, "..", "state");
    writeFileSync(blocked, "a file in the place of a folder");
    const words = ["run", "--workspace", root, "--journal", join(root, "..", "j.jsonl"), "--json", ...demo];
    const result = await cli(words, { env: { XDG_STATE_HOME: blocked } });
    expect(result.code).toBe(1);
    expect(jsonOf(result)).toMatchObject({ status: "error", turns: 0 });
    expect(jsonOf(result)["stoppedBy"]).toContain("Make that folder writable");
  });

  it("may not lie in the workspace", async () => {
    const root = await temporaryWorkspace();
    const { code, err } = await cli(["run", "--workspace", root, ...demo], { env: { XDG_STATE_HOME: root } });
    expect(code).toBe(1);
    expect(err).toContain("set XDG_STATE_HOME to a folder outside of it");
  });

  it("says what to do where git is missing", async () => {
    const root = await temporaryWorkspace();
    const bare = join(root, "..", "bin");
    mkdirSync(bare);
    symlinkSync(process.execPath, join(bare, "node"));
    const { code, out } = await cli(["run", "--workspace", root, ...demo], { env: { PATH: bare } });
    expect(code).toBe(1);
    expect(out).toContain("Install git");
  });
});

describe("a folder without any check, that is no repository", () => {
  it("is worked in, and the person is told what done rests on", async () => {
    const root = await temporaryWorkspace({ "a.txt": "x\n" });
    const url = await serve([
      { kind: "reply", calls: [{ name: "write_file", args: { path: "b.txt", content: "b\n" } }] },
      { kind: "reply", text: "I wrote b.txt." },
    ]);
    const words = ["run", "--workspace", root, "--model", "m", "--base-url", url, "--json", "write b.txt"];
    const result = await cli(words, { cwd: dirname(root) });
    expect(result.err).toContain("done will rest on structural checks alone; write one in donegate.yaml");
    expect(result.code).toBe(0);
    expect(jsonOf(result)).toMatchObject({ status: "done", evidence: "structural" });
  });
});
