import { found } from "./outputWords";
import { plainRule, type RunnerRule } from "./runnerRule";
import { readJunitXml } from "./reports/junitXml";
import { joinReports, type TestReport } from "./testReport";

const sources = ["**/src/test/**", "**/src/*Test/**", "**/src/it/**"];

function readBelow(part: string, files: readonly { name: string; text: string }[]): TestReport {
  return joinReports(files.filter(({ name }) => name.includes(part)).map(({ text }) => readJunitXml(text)));
}

export const maven: RunnerRule = {
  ...plainRule,
  id: "maven",
  words: ["mvn", "mvnw"].flatMap((program) => ["test", "verify", "install", "package"].map((goal) => [program, goal])),
  configs: [".mvn/maven.config", ".mvn/jvm.config", ".mvn/extensions.xml", ".mvn/settings.xml"],
  projections: ["pom.xml"],
  tests: sources,
  nothingRan: (output, exitCode) =>
    exitCode === 0 ? found(output, /^\[INFO\] (?:No tests to run\.|Tests are skipped\.)$/m) : null,
  reporting: {
    ask: () => ({ leaves: ["**/target/{surefire,failsafe}-reports/TEST-*.xml"] }),
    read: ({ files }) => readBelow("target/", files),
  },
};

export const gradle: RunnerRule = {
  ...plainRule,
  id: "gradle",
  words: ["gradle", "gradlew"].flatMap((program) => ["test", "check", "build"].map((task) => [program, task])),
  configs: [
    ...["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties"],
    ...["init.gradle", "gradle/wrapper/gradle-wrapper.properties", "gradle/wrapper/gradle-wrapper.jar"],
  ],
  tests: sources,
  nothingRan: (output, exitCode) => {
    const states = [...output.matchAll(/^> Task \S*:\w*[tT]est(?: ([A-Z-]+))?$/gm)];
    const idle = states.length > 0 && states.every((state) => ["NO-SOURCE", "SKIPPED"].includes(state[1] ?? ""));
    return exitCode === 0 && idle ? (states[0]?.[0] ?? null) : null;
  },
  couldNotRun: (output, exitCode) => {
    const states = [...output.matchAll(/^> Task \S*:\w*[tT]est(?: ([A-Z-]+))?$/gm)];
    const idle = states.length > 0 && states.every((state) => ["UP-TO-DATE", "FROM-CACHE"].includes(state[1] ?? ""));
    return exitCode === 0 && idle ? `${states[0]?.[0] ?? ""}: nothing was run (add --rerun-tasks to the check)` : null;
  },
  reporting: {
    ask: () => ({ leaves: ["**/build/test-results/**/TEST-*.xml"] }),
    read: ({ files }) => readBelow("build/test-results/", files),
  },
};
