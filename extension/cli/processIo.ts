import { createInterface } from "node:readline";
import type { CliIo, Sink } from "./cliIo";
import { createTerminal } from "./terminalLines";

const interruptedExitCode = 130;
const stopSignals = ["SIGINT", "SIGTERM"] as const;

/** `close` gives the terminal back, so that the process can end. */
export function createProcessIo(own: NodeJS.Process): CliIo & { close(): void } {
  const isTerminal = own.stdin.isTTY && own.stdout.isTTY;
  const terminal = isTerminal ? createTerminal(own.stdin) : null;
  return {
    out: createSink(own.stdout, own.env),
    err: createSink(own.stderr, own.env),
    env: own.env,
    cwd: own.cwd(),
    terminal,
    inputLines: () => createInterface({ input: own.stdin, crlfDelay: Infinity }),
    onStop: createStop(own),
    close: () => terminal?.close(),
  };
}

function createSink(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Sink {
  let isBroken = false;
  stream.on("error", () => {
    isBroken = true;
  });
  const wantsColour = (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  return {
    colour: stream.isTTY && wantsColour,
    write: (text) => {
      if (!isBroken) stream.write(text);
    },
  };
}

function createStop(own: NodeJS.Process): CliIo["onStop"] {
  const listeners = new Set<() => void>();
  let isStopping = false;
  const stop = (): void => {
    if (isStopping || listeners.size === 0) own.exit(interruptedExitCode);
    isStopping = true;
    for (const listener of listeners) listener();
  };
  for (const signal of stopSignals) own.on(signal, stop);
  return (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
}
