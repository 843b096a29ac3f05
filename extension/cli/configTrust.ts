// A donegate.yaml comes with a folder, and folders come from other people: what it would run or allow needs a person.
import { listTrusted } from "../core/config/listTrusted";
import type { Sink, Terminal } from "./cliIo";
import type { ConfigFile } from "./configFile";
import { escapeShort } from "./escapeText";
import { refuse, type Refusal } from "./exitCodes";

export type Trust = { ok: true; acceptedBy: string | null } | Refusal;

export interface TrustQuestion {
  file: ConfigFile;
  /** `--trust-config` was given. */
  isTrusted: boolean;
  terminal: Terminal | null;
  sink: Sink;
}

/** Null in `acceptedBy`: nothing in the file needs acceptance, and nobody has accepted it. */
export async function settleTrust({ file, isTrusted, terminal, sink }: TrustQuestion): Promise<Trust> {
  if (isTrusted) return { ok: true, acceptedBy: "--trust-config" };
  const trusted = listTrusted(file.config);
  if (trusted.length === 0) return { ok: true, acceptedBy: null };
  const list = trusted.map((line) => `  - ${line}`).join("\n");
  if (terminal === null) {
    return refuse(
      `${file.path} has not been accepted by anybody, and there is no terminal to ask on. Read it, then accept it with --trust-config. It would be trusted with:\n${list}`,
    );
  }
  sink.write(`${escapeShort(file.path, 300)} wants to be trusted with:\n${list}\n`);
  const answer = await terminal.ask("Accept it for this run? Type yes, anything else is no: ", sink);
  if (answer?.trim().toLowerCase() === "yes") return { ok: true, acceptedBy: "person at the terminal" };
  return refuse(`${file.path} was not accepted: nothing was run`);
}
