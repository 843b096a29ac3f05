import type { CliIo, Sink } from "./cliIo";
import type { ConfigFile } from "./configFile";
import { escapeText } from "./escapeText";
import { asking, writeLines } from "./storyLine";

/** With `--json` standard output belongs to the object alone. */
export function storySink(io: CliIo, wantsJson: boolean): Sink {
  return wantsJson ? io.err : io.out;
}

export function tellConfigWarnings({ path, config }: ConfigFile, sink: Sink): void {
  writeLines(
    sink,
    config.warnings.map(({ line, column, message }) =>
      asking(`${escapeText(path)}:${line}:${column}: warning: ${escapeText(message)}`),
    ),
  );
}
