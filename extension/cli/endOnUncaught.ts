import type { CliIo } from "./cliIo";
import { escapeLines } from "./escapeText";
import { exitCodes } from "./exitCodes";

/**
 * What no caller caught, promises included, ends the process at once with the code of an error: nothing may be believed
 * that such a process says later. Every line of a journal is written before what it tells is acted on, and a lock of a
 * dead process holds nobody, so a resume goes on from there.
 */
export function endOnUncaught(own: NodeJS.Process, io: Pick<CliIo, "err" | "env"> & { close(): void }): void {
  own.on("uncaughtException", (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    const isDebugging = (io.env["DONEGATE_DEBUG"] ?? "") !== "";
    if (isDebugging && error instanceof Error) io.err.write(`${error.stack ?? ""}\n`);
    const lines = [
      ...escapeLines(`unexpected, and not caught: ${text}`, 200),
      "A run that was going on can be resumed from its journal: donegate resume --journal FILE",
    ];
    io.err.write(`${lines.join("\n")}\n`);
    io.close();
    own.exit(exitCodes.error);
  });
}
