import { sectionNames } from "../sectionNames";
import type { Discovery } from "./discoverChecks";
import type { DiscoveryFiles } from "./discoveryFiles";

/** pytest where it is configured, or where tests lie that it would collect; through uv where uv locks the project. */
export async function discoverPytest(files: DiscoveryFiles): Promise<Discovery> {
  const provenance = await findPytest(files);
  if (provenance === null) return { checks: [], warnings: [] };
  const locked = (await files.readText("uv.lock")) !== null;
  const run = locked ? ["uv", "run", "pytest", "-q"] : ["pytest", "-q"];
  return { checks: [{ kind: "test", name: "pytest", run, provenance }], warnings: [] };
}

async function findPytest(files: DiscoveryFiles): Promise<string | null> {
  const sections: readonly (readonly [string, RegExp])[] = [
    ["pyproject.toml", /^tool\.pytest(?:\.|$)/],
    ["setup.cfg", /^tool:pytest$/],
    ["tox.ini", /^pytest$/],
  ];
  if ((await files.readText("pytest.ini")) !== null) return "pytest.ini";
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
