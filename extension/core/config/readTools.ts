import { reservedToolNames } from "./reservedToolNames";
import type { ConfigReport } from "./configReport";
import type { ToolShape } from "./configSchema";
import { didYouMean } from "./didYouMean";
import type { CustomToolConfig } from "./donegateConfig";

const defaultTimeoutSeconds = 600;

export function readTools(
  shapes: Readonly<Record<string, ToolShape>>,
  report: ConfigReport,
): Readonly<Record<string, CustomToolConfig>> {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, readTool(name, shape, report)]));
}

function readTool(name: string, shape: ToolShape, report: ConfigReport): CustomToolConfig {
  const path = ["tools", name];
  if (reservedToolNames.includes(name) || name.startsWith("donegate_")) {
    report.problem(path, "this name belongs to a built-in tool", "key");
  }
  checkPlaceholders(name, shape, report);
  checkParameters(name, shape, report);
  return {
    description: shape.description,
    parameters: shape.parameters ?? {},
    run: shape.run,
    readback: shape.readback ?? null,
    timeoutMs: Math.max(1, Math.round((shape.timeout ?? defaultTimeoutSeconds) * 1000)),
  };
}

const placeholder = /\$\{([^}]*)(\}?)/g;

function checkPlaceholders(name: string, shape: ToolShape, report: ConfigReport): void {
  const known = Object.keys(shape.parameters ?? {});
  for (const key of ["run", "readback"] as const) {
    shape[key]?.forEach((word, index) => {
      const path = ["tools", name, key, index];
      if (index === 0 && word.trim() === "") report.problem(path, "must not be empty");
      for (const [whole, parameter = "", end] of word.matchAll(placeholder)) {
        if (end === "") report.problem(path, `"${whole}" has no closing }`);
        else if (!known.includes(parameter)) {
          report.problem(path, `\${${parameter}} is not a declared parameter${didYouMean(parameter, known)}`);
        } else if (index === 0) report.problem(path, "the program itself may not come from an argument");
      }
    });
  }
}

function checkParameters(name: string, shape: ToolShape, report: ConfigReport): void {
  const words = [...shape.run, ...(shape.readback ?? [])];
  for (const [parameter, { type, enum: values }] of Object.entries(shape.parameters ?? {})) {
    const path = ["tools", name, "parameters", parameter];
    if (!words.some((word) => word.includes(`\${${parameter}}`)))
      report.warn(path, "is not used in run or readback", "key");
    if (values !== undefined && type !== undefined && type !== "string") {
      report.problem([...path, "type"], "a parameter with an enum is a string");
    }
  }
}
