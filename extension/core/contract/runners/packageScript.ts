import { found } from "./outputWords";
import { plainRule, type RunnerRule } from "./runnerRule";

export const packageScript: RunnerRule = {
  ...plainRule,
  id: "package-script",
  words: [["npm"], ["pnpm"], ["yarn"], ["bun"], ["node", "--run"]],
  configs: [".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "bunfig.toml"],
  projections: ["package.json"],
  env: { npm_config_update_notifier: "false", npm_config_fund: "false" },
  couldNotRun: (output) =>
    found(
      output,
      /^(?:npm (?:error|ERR!) [Mm]issing script: .*|.*ERR_PNPM_NO_SCRIPT.*|error Command ".*" not found\.)$/m,
    ),
};
