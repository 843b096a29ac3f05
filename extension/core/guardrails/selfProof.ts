// A guard that lets a known bad call through is broken, and a broken guard is worse than none: it must say so itself.
import { composeVerdicts } from "./composeVerdicts";
import type { GuardedCall, KnownBadCall, PathUse, RuleSet, Tag } from "./verdict";

/** What a path guard has to stop. `contractFile` is a frozen file, where there is one. */
export function badPathCalls(contractFile: string | null): readonly KnownBadCall[] {
  const inContract: readonly KnownBadCall[] =
    contractFile === null ? [] : [{ what: "a write into the contract", call: write(contractFile), least: "ask" }];
  return [
    { what: "a write to donegate.yaml", call: write("donegate.yaml"), least: "deny" },
    { what: "a disguised write to donegate.yaml", call: write("x/../DONEGATE.yaml"), least: "deny" },
    { what: "a write into a workflow", call: write(".github/workflows/proof.yml"), least: "ask" },
    { what: "a write outside the workspace", call: write("../donegate-proof"), least: "ask" },
    ...inContract,
  ];
}

/** What a command gate has to stop. */
export const badCommandCalls: readonly KnownBadCall[] = [
  { what: "a command with a bidirectional character", call: run("echo \u202E"), least: "deny" },
  { what: "a command that names a key", call: run("echo x >> ~/.ssh/authorized_keys"), least: "deny" },
];

function write(path: string): GuardedCall {
  return badCall("write_file", ["write"], { path, content: "" }, [{ path, use: "write", surface: "edit-tool" }]);
}

function run(command: string): GuardedCall {
  return badCall("run_command", ["command"], { command }, []);
}

function badCall(
  tool: string,
  tags: readonly Tag[],
  args: GuardedCall["args"],
  paths: readonly PathUse[],
): GuardedCall {
  return { callId: "self-proof", tool, args, tags, paths, agent: "main", depth: 0, cwd: "/" };
}

/** Null when each rule set stops what it has to stop, else what got through. Its own verdicts count, no default. */
export function findFailedProof(ruleSets: readonly RuleSet[]): string | null {
  for (const rules of ruleSets) {
    for (const bad of rules.mustStop ?? []) {
      if (!stops(rules, bad)) return `${rules.id} lets ${bad.what} through`;
    }
  }
  return null;
}

function stops(rules: RuleSet, { call, least }: KnownBadCall): boolean {
  try {
    const verdict = composeVerdicts(rules.verdicts(call), "allow");
    const isFirmAsk = verdict.decision === "ask" && verdict.level !== "normal";
    return verdict.decision === "deny" || (least === "ask" && isFirmAsk);
  } catch {
    // A guard that fails on a call stops nothing.
    return false;
  }
}
