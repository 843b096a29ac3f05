import type { CheckSpec, StructuralCheck } from "../contract/verificationPlan";
import { checkWarnings } from "./checkWarnings";
import type { ConfigReport } from "./configReport";
import type { VerifyShape } from "./configSchema";
import type { VerifyConfig } from "./donegateConfig";
import { isPathAbove } from "./pathAbove";

const defaultRequire: readonly StructuralCheck[] = ["todos", "diff", "receipts"];
const defaultTimeoutSeconds = 600;
const structuralNames: ReadonlySet<string> = new Set<StructuralCheck>(["todos", "diff", "diagnostics", "receipts"]);

export function readVerify(shape: VerifyShape, report: ConfigReport): VerifyConfig {
  return {
    maxAttempts: shape.maxAttempts,
    checks: shape.checks === undefined ? null : readChecks(shape.checks, report),
    require: shape.require === undefined ? defaultRequire : [...new Set(shape.require)],
    outputs: shape.outputs ?? [],
    ...(shape.knownRed === undefined ? {} : { knownRed: shape.knownRed }),
  };
}

type CheckShape = NonNullable<VerifyShape["checks"]>[number];

function readChecks(shapes: readonly CheckShape[], report: ConfigReport): readonly CheckSpec[] {
  const seen = new Set<string>();
  return shapes.map((shape, index) => {
    const path = ["verify", "checks", index];
    if (seen.has(shape.name)) report.problem([...path, "name"], `another check is called "${shape.name}" already`);
    if (structuralNames.has(shape.name)) report.problem([...path, "name"], `"${shape.name}" names a structural check`);
    seen.add(shape.name);
    return readCheck(shape, path, report);
  });
}

function readCheck(shape: CheckShape, path: readonly PropertyKey[], report: ConfigReport): CheckSpec {
  const cwd = shape.cwd ?? ".";
  if (isPathAbove(cwd))
    report.problem([...path, "cwd"], "has to be a folder inside the workspace, relative to its root");
  for (const warning of checkWarnings(shape.run)) report.warn([...path, "run"], warning);
  return {
    name: shape.name,
    run: shape.run,
    cwd,
    timeoutMs: Math.max(1, Math.round((shape.timeout ?? defaultTimeoutSeconds) * 1000)),
    provenance: `donegate.yaml:${report.lineOf(path)}`,
  };
}
