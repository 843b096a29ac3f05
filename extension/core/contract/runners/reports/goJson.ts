import * as z from "zod";
import { joinReports, type TestCase, type TestReport } from "../testReport";

const event = z.object({ Action: z.string(), Package: z.string(), Test: z.string().optional() });

/**
 * The events of `go test -json`. A test counts only when it was seen to start, and a package only when its own end was
 * seen: a test binary that prints a pass and leaves has neither.
 */
export function readGoJson(output: string): TestReport {
  const started = new Set<string>();
  const ended = new Map<string, TestCase>();
  const open = new Set<string>();
  let events = 0;
  for (const line of output.split("\n")) {
    const parsed = parse(line);
    if (parsed === null) continue;
    const { Action: action, Package: owner, Test: test } = parsed;
    events += 1;
    const ends = test === undefined && ["pass", "fail", "skip"].includes(action);
    if (ends) open.delete(owner);
    else open.add(owner);
    if (test === undefined) continue;
    const id = `${owner}.${test}`;
    if (action === "run") started.add(id);
    if (action === "pass") ended.set(id, { id, outcome: "passed" });
    if (action === "fail") ended.set(id, { id, outcome: "failed" });
    if (action === "skip") ended.set(id, { id, outcome: "skipped" });
  }
  if (events === 0) return { whole: false, why: "there is none" };
  if (open.size > 0) return { whole: false, why: `the package ${[...open].join(", ")} has no end` };
  const forged = [...ended.keys()].find((id) => !started.has(id));
  if (forged !== undefined) return { whole: false, why: `${forged} ended without having been started` };
  const unended = [...started].filter((id) => !ended.has(id));
  return joinReports([
    { whole: true, tests: [...ended.values(), ...unended.map((id): TestCase => ({ id, outcome: "failed" }))] },
  ]);
}

/** The text a person would have seen without `-json`. */
export function toGoText(output: string): string {
  return output
    .split("\n")
    .map((line) => {
      const parsed = parseLine(line);
      return parsed === null ? `${line}\n` : (parsed.Output ?? "");
    })
    .join("");
}

const outputLine = z.object({ Action: z.string(), Output: z.string().optional() });

function parseLine(line: string): z.infer<typeof outputLine> | null {
  return line.startsWith("{") ? (outputLine.safeParse(parseJson(line)).data ?? null) : null;
}

function parse(line: string): z.infer<typeof event> | null {
  return line.startsWith("{") ? (event.safeParse(parseJson(line)).data ?? null) : null;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null; // a line of the program's own
  }
}
