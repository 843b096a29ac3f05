import type { CliCommand } from "./cliCommand";

export function commandUsage({ usage }: CliCommand): string {
  return `usage: donegate ${usage}`;
}

export function fullUsage(commands: readonly CliCommand[]): string {
  return `usage:
${commands.map(({ usage }) => `  donegate ${usage}`).join("\n")}

Model server: --base-url or DONEGATE_BASE_URL or OPENAI_BASE_URL; the key comes from DONEGATE_API_KEY or OPENAI_API_KEY.
Model: --model or DONEGATE_MODEL; "--model demo" plays the scripted demo without network.
With --json the story goes to standard error, and the last line of standard output is one JSON object.
Exit codes: 0 done or pass, 1 error, 2 incomplete or fail, 3 pending, 4 interrupted, timeout or closed, 64 usage.
`;
}
