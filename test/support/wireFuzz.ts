// Makes replies as bytes, spoils them in ways whose effect is known, and says what may still happen after each.
import { payload } from "./wireStream";
import type { seededRandom } from "./seededRandom";

export type Random = ReturnType<typeof seededRandom>;

export interface FuzzedCall {
  name: string;
  args: Record<string, unknown>;
}

export interface FuzzedReply {
  calls: readonly FuzzedCall[];
  text: string;
  /** Whole events, the last one is `[DONE]`. */
  events: readonly string[];
}

export interface FuzzedStream {
  bytes: Uint8Array;
  /** How it was spoiled. */
  spoiled: string;
  /**
   * `same`: nothing was changed that counts, so exactly the calls of the reply run. `none`: no call may run.
   * `subset`: only whole calls of the reply may run. `any`: the content itself was changed; the reply has to be whole.
   */
  allowed: "same" | "none" | "subset" | "any";
}

const words = [
  "a",
  "ünï",
  "漢字",
  "🚀",
  '"',
  "\\",
  "\n",
  "\t",
  "{",
  "}",
  "}{",
  "data: ",
  "[DONE]",
  "\\u00e9",
  " ",
  "0",
  "null",
];

export function randomReply(random: Random): FuzzedReply {
  const calls = Array.from({ length: 1 + random.below(3) }, () => ({ name: "note", args: randomArgs(random) }));
  const text = random.below(2) === 0 ? "" : randomText(random, 6);
  const deltas: object[] = [{ role: "assistant", content: random.pick([null, ""]) }];
  if (random.below(3) === 0) deltas.push({ [random.pick(["reasoning", "reasoning_content"])]: randomText(random, 5) });
  if (text !== "") for (const piece of pieces(random, text)) deltas.push({ content: piece });
  for (const fragments of random.pick([inTurn, interleaved])(
    random,
    calls.map((call, at) => callFragments(random, call, at)),
  ))
    deltas.push({ tool_calls: fragments });
  const finish = random.pick(["tool_calls", "stop"]);
  const events = [
    ...deltas.map((delta) => payload({ choices: [{ index: 0, delta, finish_reason: null }] })),
    payload({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }),
    ...(random.below(2) === 0 ? [] : [payload({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } })]),
    "[DONE]",
  ];
  return { calls, text, events };
}

/** Spoils the reply in one way. */
export function spoil(random: Random, reply: FuzzedReply): FuzzedStream {
  const spoiler = random.pick(Object.keys(spoilers) as (keyof typeof spoilers)[]);
  return { ...spoilers[spoiler](random, reply), spoiled: spoiler };
}

/** The bytes in pieces of chance length, sometimes one by one. */
export function* cutByChance(random: Random, bytes: Uint8Array): Generator<Uint8Array> {
  const most = random.pick([1, 3, 17, 200, 100_000]);
  for (let start = 0; start < bytes.length;) {
    const end = start + 1 + random.below(most);
    yield bytes.subarray(start, end);
    start = end;
  }
}

export function randomArgs(random: Random): Record<string, unknown> {
  const entries = Array.from({ length: 1 + random.below(3) }, (_, at) => [`k${at}`, randomValue(random, 2)] as const);
  return Object.fromEntries(entries);
}

type Spoiler = (random: Random, reply: FuzzedReply) => Omit<FuzzedStream, "spoiled">;

const lineEnds = ["\n", "\r\n", "\r"];

const spoilers = {
  nothing: (_random, { events }) => ({ bytes: toBytes(events), allowed: "same" }),
  "other line ends, comments and a byte order mark": (random, { events }) => {
    const end = random.pick(lineEnds);
    const noisy = events.map(
      (event) => `${random.below(2) === 0 ? "" : `: ping${end}`}data:${random.pick(["", " "])}${event}${end}${end}`,
    );
    return { bytes: Buffer.from(`${random.pick(["", "\uFEFF"])}${noisy.join("")}`), allowed: "same" };
  },
  "more after the end": (random, { events }) => ({
    bytes: Buffer.concat([toBytes(events), randomBytes(random, 60), toBytes(events.slice(0, -1))]),
    allowed: "same",
  }),
  "cut before the finish reason": (random, { events }) => {
    const upTo = events.findIndex((event) => /"finish_reason":"/.test(event));
    const before = toBytes(events.slice(0, upTo));
    return { bytes: before.subarray(0, random.below(before.length + 1)), allowed: "none" };
  },
  "cut after the finish reason": (random, { events }) => {
    const upTo = events.findIndex((event) => /"finish_reason":"/.test(event)) + 1;
    const before = toBytes(events.slice(0, upTo));
    const after = toBytes(events.slice(upTo));
    return { bytes: Buffer.concat([before, after.subarray(0, random.below(after.length + 1))]), allowed: "same" };
  },
  "an error among the events": (random, { events }) => {
    const at = random.below(events.length);
    const error = random.pick([
      payload({ choices: [], error: { message: "worker lost", code: 502 } }),
      JSON.stringify({ error: "overloaded" }),
      JSON.stringify({ object: "error", message: "bad", code: 500 }),
    ]);
    return { bytes: toBytes(events.toSpliced(at, 0, error)), allowed: "none" };
  },
  "an event that is no JSON": (random, { events }) => {
    const at = random.below(events.length);
    const broken = (events[at] === "[DONE]" ? "{" : (events[at] ?? "")).slice(0, -1) || "{";
    return { bytes: toBytes(events.toSpliced(at, 1, broken, "[DONE]")), allowed: "none" };
  },
  "a finish reason that says that the limit cut it": (_random, { events }) => {
    const cut = events.map((event) => event.replace(/"finish_reason":"\w+"/, '"finish_reason":"length"'));
    return { bytes: toBytes(cut), allowed: "subset" };
  },
  "one call's arguments cut short": (random, reply) => {
    const at = reply.events.findLastIndex((event) => /"arguments":"[^"]/.test(event));
    const events =
      at === -1 ? reply.events : reply.events.map((event, index) => (index === at ? loseTail(event) : event));
    return { bytes: toBytes(events), allowed: at === -1 ? "same" : random.pick(["subset"] as const) };
  },
  "flipped bits": (random, { events }) => {
    const bytes = toBytes(events);
    for (let flips = 1 + random.below(8); flips > 0; flips -= 1) {
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    }
    return { bytes, allowed: "any" };
  },
  "events lost, doubled and out of order": (random, { events }) => {
    let mixed = events.slice(0, -1);
    for (let moves = 1 + random.below(3); moves > 0 && mixed.length > 0; moves -= 1) {
      const at = random.below(mixed.length);
      const taken = mixed[at] ?? "";
      mixed = random.pick([mixed.toSpliced(at, 1), mixed.toSpliced(at, 0, taken), [...mixed.toSpliced(at, 1), taken]]);
    }
    return { bytes: toBytes([...mixed, "[DONE]"]), allowed: "any" };
  },
  noise: (random) => ({ bytes: randomBytes(random, 400), allowed: "none" }),
} satisfies Record<string, Spoiler>;

/** The last character of the last argument fragment goes: JSON that lacks its closing brace. */
function loseTail(event: string): string {
  const body = JSON.parse(event) as { choices: { delta: { tool_calls?: { function: { arguments: string } }[] } }[] };
  const last = body.choices[0]?.delta.tool_calls?.at(-1);
  if (last !== undefined) last.function.arguments = last.function.arguments.slice(0, -1);
  return JSON.stringify(body);
}

function callFragments(random: Random, call: FuzzedCall, index: number): object[] {
  const [first = "", ...rest] = pieces(random, JSON.stringify(call.args));
  const opening = { index, id: `call_${index}`, type: "function", function: { name: call.name, arguments: "" } };
  const withText = { ...opening, function: { name: call.name, arguments: first } };
  const heads = random.below(2) === 0 ? [withText] : [opening, { index, function: { arguments: first } }];
  return [...heads, ...rest.map((text) => ({ index, function: { arguments: text } }))];
}

function inTurn(_random: Random, calls: readonly (readonly object[])[]): object[][] {
  return calls.flat().map((fragment) => [fragment]);
}

function interleaved(random: Random, calls: readonly (readonly object[])[]): object[][] {
  const queues = calls.map((fragments) => [...fragments]);
  const order: object[][] = [];
  while (queues.some((queue) => queue.length > 0)) {
    const fragment = random.pick(queues.filter((queue) => queue.length > 0)).shift();
    if (fragment !== undefined) order.push([fragment]);
  }
  return order;
}

function pieces(random: Random, text: string): string[] {
  const cut: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = start + 1 + random.below(random.pick([1, 8, 60]));
    cut.push(text.slice(start, end));
    start = end;
  }
  return cut;
}

function randomValue(random: Random, depth: number): unknown {
  const kind = random.below(depth === 0 ? 4 : 6);
  if (kind === 4) return Array.from({ length: random.below(3) }, () => randomValue(random, depth - 1));
  if (kind === 5) return { [randomText(random, 2)]: randomValue(random, depth - 1) };
  return [random.below(1_000) / 8, random.below(2) === 0, null, randomText(random, 8)][kind];
}

function randomText(random: Random, most: number): string {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(words)).join("");
}

function randomBytes(random: Random, most: number): Buffer {
  return Buffer.from(Array.from({ length: 1 + random.below(most) }, () => random.below(256)));
}

function toBytes(events: readonly string[]): Buffer {
  return Buffer.from(events.map((event) => `data: ${event}\n\n`).join(""));
}
