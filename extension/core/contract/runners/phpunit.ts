import { found } from "./outputWords";
import { plainRule, type RunnerRule } from "./runnerRule";
import { readJunitXml } from "./reports/junitXml";
import { joinReports } from "./testReport";

export const phpunit: RunnerRule = {
  ...plainRule,
  id: "phpunit",
  words: [["phpunit"]],
  configs: ["phpunit.xml", "phpunit.dist.xml", "phpunit.xml.dist"],
  projections: ["composer.json"],
  tests: ["tests/**", "test/**", "**/*Test.php"],
  nothingRan: (output, exitCode) => (exitCode === 0 ? found(output, /^No tests executed!$/m) : null),
  reporting: {
    ask: ({ folder, words }) =>
      words.includes("--log-junit") ? null : { args: ["--log-junit", `${folder}/phpunit.xml`] },
    read: ({ files }) =>
      joinReports(files.filter(({ name }) => name === "phpunit.xml").map(({ text }) => readJunitXml(text))),
  },
};
