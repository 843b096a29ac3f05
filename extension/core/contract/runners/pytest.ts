import { found, summaryWithout } from "./outputWords";
import { plainRule, type RunnerRule } from "./runnerRule";
import { quoteWord } from "./quoteWord";
import { pytestCanary } from "./canary";
import { readJunitXml } from "./reports/junitXml";
import { joinReports } from "./testReport";

export const pytest: RunnerRule = {
  ...plainRule,
  id: "pytest",
  words: [["pytest"], ["py.test"]],
  configs: ["pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", ".coveragerc"],
  projections: ["pyproject.toml", "setup.cfg", "tox.ini"],
  tests: ["**/test_*.py", "**/*_test.py", "test/**", "tests/**"],
  traps: [
    ...["conftest.py", "sitecustomize.py", "usercustomize.py", "pytest.py", "_pytest.py", "pluggy.py"].map(
      (name) => `**/${name}`,
    ),
    ...["pytest", "_pytest", "pluggy"].map((name) => `**/${name}/__init__.py`),
    // A distribution beside the tests brings plugins that load by themselves.
    "**/*.dist-info/entry_points.txt",
  ],
  env: { PYTHONDONTWRITEBYTECODE: "1" },
  nothingRan: (output, exitCode) => {
    if (exitCode === 5) return "pytest collected no tests (exit 5)";
    if (exitCode !== 0) return null;
    return summaryWithout(
      output,
      /^=*\s*((?:no tests ran|\d+ \w+).*) in \d[\d.]*s\b.*$/gm,
      /[1-9]\d* (?:passed|xpassed)/,
    );
  },
  couldNotRun: (output) => found(output, /^(?:.*: No module named pytest|error: Failed to spawn: `pytest`)$/m),
  reporting: {
    ask: ({ folder, words, only }) => {
      if (words.some((word) => /^--junit-?xml(?:=|$)/.test(word))) return null;
      const options = `-p no:cacheprovider ${quoteWord(`--junitxml=${folder}/pytest.xml`)}`;
      return { env: { PYTEST_ADDOPTS: only === undefined ? options : `${options} -k ${only}` } };
    },
    canary: pytestCanary,
    read: ({ files }) =>
      joinReports(files.filter(({ name }) => name === "pytest.xml").map(({ text }) => readJunitXml(text))),
  },
};
