import type { ConfigProblem } from "./donegateConfig";
import { toPathText } from "./schemaProblems";
import type { YamlPath, YamlSource } from "./yamlSource";

/** Collects what the readers of the sections find. `part` says which end of the path the place is; the value unless said. */
export interface ConfigReport {
  problem(path: YamlPath, message: string, part?: "key" | "value"): void;
  warn(path: YamlPath, message: string, part?: "key" | "value"): void;
  lineOf(path: YamlPath): number;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
}

export function createConfigReport(source: YamlSource): ConfigReport {
  const problems: ConfigProblem[] = [];
  const warnings: ConfigProblem[] = [];
  const add =
    (list: ConfigProblem[]): ConfigReport["problem"] =>
    (path, message, part = "value") =>
      void list.push({ ...source.placeOf(path, part), message: `${toPathText(path)}: ${message}` });
  return {
    problem: add(problems),
    warn: add(warnings),
    lineOf: (path) => source.placeOf(path, "value").line,
    problems,
    warnings,
  };
}
