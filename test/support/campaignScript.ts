// The model's part in the fault campaign: forty turns with edits, commands, an approval and two passages of the gate. What
// it says depends on the conversation alone, so it also plays on after a fault: what was certainly not done is done again,
// what may have been done is looked at first.
import type { ModelStep, ScriptedCall, ScriptedRequest } from "./modelScript";

const modules = [1, 2, 3, 4, 5, 6, 7, 8];

export const campaignFiles: Readonly<Record<string, string>> = {
  "donegate.yaml": `verify:
  maxAttempts: 3
  checks:
    - { name: tests, run: "sh check.sh" }
guardrails:
  - { allow: { tool: run_command, command: "sh step.sh *" } }
  - { ask: { tool: deploy }, level: prod, reason: prod needs a person }
tools:
  deploy: { description: Deploy, parameters: { env: { enum: [dev, prod] } }, run: [sh, deploy.sh, "\${env}"], readback: [sh, status.sh, "\${env}"] }
`,
  "check.sh": "grep -q fixed src/m3.txt\n",
  "step.sh": 'echo "$1" >> effects.txt\n',
  "deploy.sh": 'echo "$1" >> deployed.txt\n',
  "status.sh": 'grep -q "$1" deployed.txt\n',
  "shared.txt": ["# Items", ...modules.map((i) => `item ${i}: open`), "# End", ""].join("\n"),
};

/** The file that a person may change meanwhile. */
export const sharedFile = "shared.txt";

const read = (path: string): ScriptedCall => ({ name: "read_file", args: { path } });
const edit = (path: string, old: string, text: string): ScriptedCall => ({
  name: "edit_file",
  args: { path, old, new: text },
});
const write = (path: string, content: string): ScriptedCall => ({ name: "write_file", args: { path, content } });
const command = (word: string): ScriptedCall => ({ name: "run_command", args: { command: `sh step.sh ${word}` } });
const todos = (statuses: Readonly<Record<string, string>>): ScriptedCall => ({
  name: "todowrite",
  args: { todos: Object.entries(statuses).map(([text, status]) => ({ text, status })) },
});

type Turn = readonly ScriptedCall[];

/** Three turns. */
const module = (i: number): readonly Turn[] => [
  [write(`src/m${i}.txt`, `module ${i}\nvalue = 1\n`)],
  [edit(`src/m${i}.txt`, "value = 1", "value = 2"), edit(sharedFile, `item ${i}: open`, `item ${i}: done`)],
  [read(`src/m${i}.txt`), read(sharedFile)],
];

const final: Turn = [];

/** Programs cost most, so they come early: the way from most boundaries to the end is cheap. */
const work: readonly Turn[] = [
  [todos({ "write the modules": "in_progress", "run the steps": "pending" }), read(sharedFile)],
  [{ name: "list_files", args: {} }, read("check.sh")],
  [command("c1")],
  ...module(1),
  [{ name: "deploy", args: { env: "prod" } }],
  ...module(2),
  ...module(3),
  [todos({ "write the modules": "completed", "run the steps": "completed" })],
  final,
  [edit("src/m3.txt", "value = 2", "value = fixed")],
  [command("c2"), read("effects.txt")],
  ...module(4),
  ...module(5),
  [write("draft.txt", "a draft\n"), todos({ "tidy up": "in_progress" })],
  [{ name: "move_file", args: { path: "draft.txt", to: "note.txt" } }],
  ...module(6),
  ...module(7),
  ...module(8),
  [read("note.txt"), { name: "search", args: { query: "fixed" } }],
  [edit("note.txt", "a draft", "a note")],
  [read("effects.txt"), read("deployed.txt")],
  [todos({ "tidy up": "completed" })],
  [{ name: "list_files", args: {} }],
  final,
];

export const campaignTurns = work.length;

export function playCampaign({ messages }: ScriptedRequest): ModelStep | null {
  const talk = messages.map(toSaid);
  const step = recover(talk);
  if (step !== null) return step;
  const turn = work[talk.filter(({ role, text }) => role === "assistant" && !isRecovery(text)).length];
  if (turn === undefined) return null;
  return { kind: "reply", text: turn.length === 0 ? "The modules are in place." : "Next.", calls: turn };
}

interface Said {
  role: string;
  text: string;
  calls: readonly (ScriptedCall & { id: string })[];
  answers: string;
}

function toSaid(message: Record<string, unknown>): Said {
  const calls = (message["tool_calls"] ?? []) as { id: string; function: { name: string; arguments: string } }[];
  return {
    role: String(message["role"]),
    text: typeof message["content"] === "string" ? message["content"] : "",
    calls: calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, args })),
    answers: typeof message["tool_call_id"] === "string" ? message["tool_call_id"] : "",
  };
}

const looking = "Recovering, so I look: ";
const repeating = "Recovering, so once more.";
const isRecovery = (text: string): boolean => text.startsWith("Recovering");

/** Null: nothing of the last turn is open. */
function recover(talk: readonly Said[]): ModelStep | null {
  const at = talk.findLastIndex(({ role }) => role === "assistant");
  const last = talk[at];
  if (last === undefined) return null;
  const results = new Map(talk.slice(at + 1).map(({ answers, text }) => [answers, text] as const));
  const open = last.text.startsWith(looking)
    ? undone(last.text.slice(looking.length), [...results.values()])
    : last.calls.filter(({ id }) => isOpen(results.get(id) ?? ""));
  if (open.length === 0) return null;
  const calls = open.map(({ name, args }) => ({ name, args }));
  if (last.text.startsWith(looking)) return { kind: "reply", text: repeating, calls };
  const places = [...new Set(calls.flatMap(placesOf))];
  if (places.length === 0) return { kind: "reply", text: repeating, calls };
  return { kind: "reply", text: looking + JSON.stringify(calls), calls: places.map(read) };
}

/** Refused because a person changed the file, or cut off by a fault; a result that says what was done settles a call. */
const isOpen = (result: string): boolean =>
  result.startsWith("interrupted before") ||
  result.startsWith("interrupted, outcome unknown") ||
  result.includes("changed since it was read");

/** Where a call that may have been done leaves its trace, and a file that another call has to be read before it. */
function placesOf({ name, args }: ScriptedCall): readonly string[] {
  if (name === "run_command") return ["effects.txt"];
  if (name === "deploy") return ["deployed.txt"];
  const { path } = argumentsOf(args);
  return name === "edit_file" && path !== undefined ? [path] : [];
}

/** Of the calls that were looked after, those without a trace. */
function undone(text: string, found: readonly string[]): readonly ScriptedCall[] {
  const seen = found.join("\n");
  return (JSON.parse(text) as ScriptedCall[]).filter(({ name, args }) => {
    const { command: line, env, new: wanted } = argumentsOf(args);
    const trace = name === "run_command" ? line?.split(" ").at(-1) : name === "deploy" ? env : wanted;
    return trace === undefined || !seen.includes(trace);
  });
}

function argumentsOf(args: ScriptedCall["args"]): Readonly<Record<string, string | undefined>> {
  return (typeof args === "string" ? JSON.parse(args) : args) as Record<string, string | undefined>;
}
