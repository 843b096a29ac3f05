import { found } from "./outputWords";
import { plainRule, type RunnerRule } from "./runnerRule";
import { readTrx } from "./reports/trxXml";
import { joinReports } from "./testReport";

export const dotnet: RunnerRule = {
  ...plainRule,
  id: "dotnet",
  words: [["dotnet", "test"]],
  configs: ["global.json", "Directory.Build.props", "Directory.Build.targets", ".runsettings", "nuget.config"],
  tests: ["**/*.{Tests,Test}/**", "**/*{Tests,Test}.cs", "test/**", "tests/**"],
  nothingRan: (output, exitCode) =>
    exitCode === 0 ? found(output, /^\s*No test (?:is available in|matches the given testcase filter).*$/m) : null,
  reporting: {
    ask: ({ folder, words }) =>
      words.some((word) => /^(?:--results-directory|-r|--)$/.test(word))
        ? null
        : { args: ["--logger", "trx", "--results-directory", folder] },
    read: ({ files }) =>
      joinReports(files.filter(({ name }) => name.endsWith(".trx")).map(({ text }) => readTrx(text))),
  },
};
