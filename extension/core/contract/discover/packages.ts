import * as yaml from "yaml";
import { parseJsonObject } from "../expandScripts";
import { matchAny } from "../globs";
import type { DiscoveryFiles } from "./discoveryFiles";

const manifest =
  /(?:^|\/)(?:package\.json|deno\.jsonc?|pyproject\.toml|setup\.py|tox\.ini|pytest\.ini|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|[^/]+\.(?:cs|fs|vb)proj|Gemfile|composer\.json|mix\.exs|GNUmakefile|[mM]akefile)$/;
const mostPackages = 30;

/** Folders of a monorepo that have a manifest of their own, sorted; those that the root declares where it declares any. */
export async function findPackages(files: DiscoveryFiles): Promise<readonly string[]> {
  const paths = await files.listFiles(".", 4);
  const folders = [...new Set(paths.filter((path) => manifest.test(path)).map(folderOf))].filter(
    (folder) => folder !== ".",
  );
  const globs = await declaredPackages(files);
  const declared = globs.length === 0 ? folders : folders.filter(matchAny(globs));
  const outermost = declared.filter((folder) => !declared.some((other) => folder.startsWith(`${other}/`)));
  return outermost.sort().slice(0, mostPackages);
}

const folderOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".");

async function declaredPackages(files: DiscoveryFiles): Promise<string[]> {
  const workspaces = parseJsonObject((await files.readText("package.json")) ?? "")?.["workspaces"];
  const listed = Array.isArray(workspaces) ? (workspaces as unknown[]) : listIn(workspaces);
  const pnpm = listIn(readYaml(await files.readText("pnpm-workspace.yaml")));
  return [...listed, ...pnpm]
    .filter((glob): glob is string => typeof glob === "string" && !glob.startsWith("!"))
    .map((glob) => glob.replace(/^\.\//, "").replace(/\/+$/, ""));
}

function listIn(value: unknown): unknown[] {
  const packages = typeof value === "object" && value !== null ? (value as Record<string, unknown>)["packages"] : null;
  return Array.isArray(packages) ? (packages as unknown[]) : [];
}

function readYaml(text: string | null): unknown {
  if (text === null) return null;
  const document = yaml.parseDocument(text);
  return document.errors.length > 0 ? null : (document.toJS() as unknown);
}
