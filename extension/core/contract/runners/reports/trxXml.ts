import { mergeById, type TestCase, type TestOutcome, type TestReport } from "../testReport";
import { elementsNamed, readXml, type XmlElement } from "./xmlDocument";

const outcomes: Readonly<Record<string, TestOutcome>> = {
  passed: "passed",
  notexecuted: "skipped",
  inconclusive: "skipped",
};

/** What `dotnet test --logger trx` writes. */
export function readTrx(text: string): TestReport {
  const root = readXml(text);
  if (root === null || root.name !== "TestRun")
    return { whole: false, why: "it is not the XML that this runner writes" };
  if (elementsNamed(root, "ResultSummary").length !== 1) return { whole: false, why: "it has no summary" };
  const owners = new Map(elementsNamed(root, "UnitTest").map((test) => [test.attributes["id"], toOwner(test)]));
  const tests = elementsNamed(root, "UnitTestResult").map(({ attributes }): TestCase => {
    const owner = owners.get(attributes["testId"]) ?? "";
    const outcome = outcomes[(attributes["outcome"] ?? "").toLowerCase()] ?? "failed";
    return { id: `${owner}::${attributes["testName"] ?? ""}`, outcome };
  });
  return { whole: true, tests: mergeById(tests) };
}

function toOwner(test: XmlElement): string {
  return elementsNamed(test, "TestMethod")[0]?.attributes["className"] ?? "";
}
