import { mergeById, type TestCase, type TestReport } from "../testReport";
import { elementsNamed, readXml, type XmlElement } from "./xmlDocument";

/** JUnit's XML as pytest, surefire, gradle, phpunit and nextest write it. */
export function readJunitXml(text: string): TestReport {
  const root = readXml(text);
  if (root === null || !["testsuites", "testsuite"].includes(root.name))
    return { whole: false, why: "it is not the XML that this runner writes" };
  return { whole: true, tests: mergeById(elementsNamed(root, "testcase").map(toTest)) };
}

function toTest({ attributes, children }: XmlElement): TestCase {
  const names = children.map((child) => child.name);
  const outcome =
    names.includes("failure") || names.includes("error") ? "failed" : names.includes("skipped") ? "skipped" : "passed";
  const owner = attributes["classname"] ?? attributes["class"] ?? "";
  const id = `${owner}::${attributes["name"] ?? ""}`;
  // pytest names a module that it could not import this way.
  return owner === "" && outcome === "failed" ? { id, outcome, isNoTest: true } : { id, outcome };
}
