import { sectionNames } from "../sectionNames";
import { nothingFound, oneCheck, type Discovery } from "./discovery";
import type { DiscoveryFiles } from "./discoveryFiles";

/** Who starts programs of a locked environment. */
const lockfiles: readonly (readonly [string, readonly string[]])[] = [
  ["uv.lock", ["uv", "run"]],
  ["poetry.lock", ["poetry", "run"]],
  ["pdm.lock", ["pdm", "run"]],
  ["Pipfile.lock", ["pipenv", "run"]],
];

/** pytest where it is configured, or where tests lie that it would collect; tox where that is all there is. */
export async function discoverPython(files: DiscoveryFiles): Promise<Discovery> {
  const found = { ecosystem: "python", kind: "test" } as const;
  const provenance = await findPytest(files);
  if (provenance !== null) {
    const run = [...(await findStart(files)), "pytest", "-q"];
    return oneCheck({ ...found, name: "pytest", run, provenance });
  }
  const tox = await findTox(files);
  return tox === null ? nothingFound : oneCheck({ ...found, name: "tox", run: ["tox"], provenance: tox });
}

async function findStart(files: DiscoveryFiles): Promise<readonly string[]> {
  for (const [lockfile, start] of lockfiles) {
    for (const folder of [files, ...(files.above ?? [])]) if ((await folder.readText(lockfile)) !== null) return start;
  }
  return [];
}

async function findPytest(files: DiscoveryFiles): Promise<string | null> {
  const sections: readonly (readonly [string, RegExp])[] = [
    ["pyproject.toml", /^tool\.pytest(?:\.|$)/],
    ["setup.cfg", /^tool:pytest$/],
    ["tox.ini", /^pytest$/],
  ];
  for (const name of ["pytest.ini", "pytest.toml"]) if ((await files.readText(name)) !== null) return name;
  for (const [file, wanted] of sections) {
    const name = sectionNames((await files.readText(file)) ?? "").find((section) => wanted.test(section));
    if (name !== undefined) return `${file} [${name}]`;
  }
  const top = await files.listFiles(".", 1);
  const nested = [...(await files.listFiles("tests", 4)), ...(await files.listFiles("test", 4))];
  return (
    [...top, ...nested].find((path) => /(?:^|\/)(?:conftest\.py|test_[^/]*\.py|[^/]*_test\.py)$/.test(path)) ?? null
  );
}

async function findTox(files: DiscoveryFiles): Promise<string | null> {
  if ((await files.readText("tox.toml")) !== null) return "tox.toml";
  const section = sectionNames((await files.readText("tox.ini")) ?? "").find((name) => /^testenv(?::|$)/.test(name));
  return section === undefined ? null : `tox.ini [${section}]`;
}
