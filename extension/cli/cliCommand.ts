import type { CliIo } from "./cliIo";
import type { Refusal } from "./exitCodes";
import type { OptionTable, ParsedArguments } from "./parseArguments";

/** One command of the command line. */
export interface CliCommand {
  /** What follows `donegate` in the usage text. */
  usage: string;
  options: OptionTable;
  /** How many operands it takes, and what to say when there are none or too many. */
  operands: { least: number; most: number; problem: string };
  /** Answers the exit code. Prints everything itself but a refusal. */
  run(args: ParsedArguments, io: CliIo): Promise<number | Refusal>;
  /** The object of `--json` where the command was refused before it had anything to report. */
  toRefusedObject(message: string): object;
}

/** The object is the last line of standard output, so that a program can read it whatever else was printed. */
export function writeJson({ out }: CliIo, value: object): void {
  out.write(`${JSON.stringify(value)}\n`);
}
