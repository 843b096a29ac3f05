// A scripted agent on a real folder with a real runner: it writes files and says that it is done.
import { linkModules } from "./checkBench";
import type { ScriptedCall } from "./modelScript";
import { answersInTurn, call, say, WorkspaceBench, type PersonAnswer } from "./workspaceBench";

export interface EvidenceCase {
  files: Readonly<Record<string, string>>;
  run: readonly string[] | string;
  /** One turn each; then the agent says that it is done. */
  turns: readonly (readonly ScriptedCall[])[];
  verify?: Readonly<Record<string, unknown>>;
  /** Left out: nobody is there. */
  person?: readonly PersonAnswer[];
  /** How often the agent says that it is done. */
  claims?: number;
}

export async function runEvidence({ files, run, turns, verify, person, claims = 1 }: EvidenceCase) {
  const bench = new WorkspaceBench();
  for (const [path, text] of Object.entries(files)) bench.put(path, text);
  linkModules(bench.root);
  const checks = [{ name: "tests", run, timeout: 60 }];
  bench.put("donegate.yaml", JSON.stringify({ verify: { maxAttempts: claims, checks, require: [], ...verify } }));
  const approver = person === undefined ? null : answersInTurn(...person);
  const paths = turns.flat().map(({ args }) => (typeof args === "string" ? undefined : args["path"]));
  const known = paths.filter((path) => typeof path === "string" && bench.has(path));
  const looks = known.map((path): ScriptedCall => ({ name: "read_file", args: { path } }));
  const opening = looks.length === 0 ? [] : [call(...looks)];
  const script = [
    ...opening,
    ...turns.map((calls) => call(...calls)),
    ...Array.from({ length: claims }, () => say("It is done.")),
  ];
  const started = await bench.start(script, {}, approver);
  const state = await started.end();
  return { bench, state, outcome: await bench.outcome(), asked: approver?.asked ?? [], events: started.events };
}

export const write = (path: string, content: string): ScriptedCall => ({ name: "write_file", args: { path, content } });
