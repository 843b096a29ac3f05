import { found } from "./outputWords";
import { plainRule, type RunnerRule } from "./runnerRule";
import { quoteWord } from "./quoteWord";
import { readRspecJson } from "./reports/rspecJson";
import { joinReports } from "./testReport";

export const rspec: RunnerRule = {
  ...plainRule,
  id: "rspec",
  words: [["rspec"]],
  configs: [".rspec", ".rspec-local", "Rakefile"],
  tests: ["spec/**", "**/*_spec.rb"],
  traps: ["**/rspec.rb"],
  nothingRan: (output, exitCode) => (exitCode === 0 ? found(output, /^0 examples, 0 failures.*$/m) : null),
  reporting: {
    ask: ({ folder }) => ({
      env: { SPEC_OPTS: `--format progress --format json --out ${quoteWord(`${folder}/rspec.json`)}` },
    }),
    read: ({ files }) =>
      joinReports(files.filter(({ name }) => name === "rspec.json").map(({ text }) => readRspecJson(text))),
  },
};

export const rake: RunnerRule = {
  ...plainRule,
  id: "rake",
  words: [["rake", "test"], ["rake", "spec"], ["rails", "test"], ["rake"]],
  configs: ["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb", ".rspec"],
  tests: ["test/**", "spec/**", "**/*_{test,spec}.rb"],
  nothingRan: (output, exitCode) => (exitCode === 0 ? found(output, /^0 (?:runs|tests|examples), 0 .*$/m) : null),
  couldNotRun: (output) => found(output, /^(?:Don't know how to build task .*|rake aborted!\s*No Rakefile found.*)$/m),
};
