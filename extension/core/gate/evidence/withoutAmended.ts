import type { FrozenTests } from "./frozenTests";

/**
 * Without the tests of files whose change a person approved: those may have another name now, or be gone. Runners name
 * files, modules, classes or packages; each of these forms of the path counts.
 */
export function withoutAmended(tests: FrozenTests, amended: readonly string[]): FrozenTests {
  if (amended.length === 0) return tests;
  const starts = amended.flatMap(startsOf);
  const packages = amended.flatMap(goPackageOf);
  const stays = (id: string): boolean =>
    !starts.some((start) => id.startsWith(start)) && !packages.some((pattern) => pattern.test(id));
  return { ran: tests.ran.filter(stays), red: tests.red.filter(stays) };
}

function startsOf(path: string): string[] {
  const stem = path.replace(/\.[^./]*$/, "");
  const dotted = stem.replaceAll("/", ".");
  const parts = dotted.split(".");
  const modules = parts.map((_, at) => parts.slice(at).join("."));
  return [`${path} > `, ...modules.flatMap((name) => [`${name}::`, `${name}.`, ` > ${name}.`])];
}

/** Go names packages, not files: all tests of the package stand for the file. */
function goPackageOf(path: string): RegExp[] {
  if (!path.endsWith("_test.go")) return [];
  const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0)).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return [new RegExp(`${folder === "" ? "" : `/${folder}`}\\.(?:Test|Example|Fuzz)[^/]*`)];
}
