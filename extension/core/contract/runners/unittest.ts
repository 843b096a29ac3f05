import { allZero } from "./outputWords";
import { plainRule, type RunnerRule } from "./runnerRule";
import { readJsonLines } from "./reports/jsonLines";

export const unittest: RunnerRule = {
  ...plainRule,
  id: "unittest",
  words: [["-m", "unittest"]],
  tests: ["**/test*.py", "test/**", "tests/**"],
  traps: ["sitecustomize.py", "usercustomize.py", "unittest.py", "unittest/__init__.py"].map((name) => `**/${name}`),
  env: { PYTHONDONTWRITEBYTECODE: "1" },
  nothingRan: (output) => allZero(output, /^Ran (\d+) tests? in /gm),
  reporting: {
    ask: ({ folder }) => ({
      replace: { words: ["-m", "unittest"], by: [`${folder}/unittest_report.py`] },
      files: { "unittest_report.py": reporter },
    }),
    read: ({ files, cwd }) => readJsonLines(files, "unittest", cwd),
  },
};

/** Does what \`python -m unittest\` does, with a result that also writes down what it is told. */
const reporter = `import json, os, sys, unittest
folder = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.getcwd()
out = open(os.path.join(folder, "unittest-%d.jsonl" % os.getpid()), "w", encoding="utf-8")
def write(row):
    out.write(json.dumps(row) + "\\n")
    out.flush()
class Result(unittest.TextTestResult):
    def record(self, test, outcome):
        name = test.id()
        row = {"file": "", "titles": [name], "outcome": outcome}
        if "_FailedTest" in name or not isinstance(test, unittest.TestCase):
            row["isNoTest"] = True
        write(row)
    def addSuccess(self, test):
        super().addSuccess(test)
        self.record(test, "passed")
    def addError(self, test, err):
        super().addError(test, err)
        self.record(test, "failed")
    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.record(test, "failed")
    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.record(test, "skipped")
    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.record(test, "skipped")
    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.record(test, "failed")
    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.record(test, "failed")
class Runner(unittest.TextTestRunner):
    resultclass = Result
    def run(self, test):
        write({"begin": 1})
        result = super().run(test)
        write({"end": 1})
        return result
if __name__ == "__main__":
    sys.argv[0] = os.path.basename(sys.executable) + " -m unittest"
    unittest.main(module=None, testRunner=Runner)
`;
