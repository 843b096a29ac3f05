// What CI runs. A step counts only when it is whole one known runner: no pipe, no variable, no second command, no condition.
import * as z from "zod";
import { parseDocument } from "yaml";
import { joinPath } from "../contractPaths";
import { parseScripts } from "../expandScripts";
import { classifyCommand } from "./classifyCommand";
import type { Discovery, FoundCheck } from "./discovery";
import type { DiscoveryFiles } from "./discoveryFiles";

const folder = ".github/workflows";

const text = z.union([z.string(), z.number(), z.boolean()]);
const defaults = z.looseObject({
  run: z.looseObject({ "working-directory": z.string().optional(), shell: z.string().optional() }).optional(),
});
const step = z.looseObject({
  run: z.string().optional(),
  if: text.optional(),
  env: z.unknown().optional(),
  shell: z.string().optional(),
  "working-directory": z.string().optional(),
  "continue-on-error": text.optional(),
});
const job = z.looseObject({
  defaults: defaults.optional(),
  steps: z.array(step).optional(),
  "continue-on-error": text.optional(),
});
const workflow = z.looseObject({ defaults: defaults.optional(), jobs: z.record(z.string(), job) });

type Step = z.infer<typeof step>;

/** Steps of GitHub workflows and lines of `.gitlab-ci.yml`, in the order of file names and jobs, each command once. */
export async function discoverWorkflows(files: DiscoveryFiles): Promise<Discovery> {
  const checks: FoundCheck[] = [];
  const warnings: string[] = [];
  for (const path of await listWorkflows(files)) {
    const parsed = readYaml(await files.readText(path));
    if (parsed === undefined) warnings.push(`${path} could not be read: its steps are not used as checks`);
    else checks.push(...(await readWorkflow(parsed, path, files)));
  }
  const gitlab = await files.readText(".gitlab-ci.yml");
  if (gitlab !== null) checks.push(...(await readGitlab(readYaml(gitlab), files)));
  const once = new Map(
    checks.map((check) => [JSON.stringify([check.cwd ?? ".", check.run]), check] as const).reverse(),
  );
  return { checks: [...once.values()].reverse(), warnings };
}

async function listWorkflows(files: DiscoveryFiles): Promise<readonly string[]> {
  return (await files.listFiles(folder, 1)).filter((path) => /\.ya?ml$/.test(path));
}

/** Undefined for what is no YAML. */
function readYaml(source: string | null): unknown {
  const document = parseDocument(source ?? "");
  return document.errors.length > 0 ? undefined : (document.toJS({ maxAliasCount: 100 }) as unknown);
}

async function readWorkflow(parsed: unknown, path: string, files: DiscoveryFiles): Promise<FoundCheck[]> {
  const { data } = workflow.safeParse(parsed);
  const found: FoundCheck[] = [];
  for (const [name, { steps = [], ...own }] of Object.entries(data?.jobs ?? {})) {
    if (own["continue-on-error"] !== undefined) continue;
    const settings = { ...data?.defaults?.run, ...own.defaults?.run };
    for (const entry of steps) {
      const cwd = entry["working-directory"] ?? settings["working-directory"] ?? ".";
      if (!isPlain(entry, entry.shell ?? settings.shell)) continue;
      const check = await toCheck(entry.run ?? "", cwd, `${path} ${name}`, files);
      if (check !== null) found.push(check);
    }
  }
  return found;
}

/** A step with a condition, a setting or another shell means something else here than there. */
function isPlain(entry: Step, shell: string | undefined): boolean {
  const isShell = shell === undefined || shell === "bash" || shell === "sh";
  return isShell && entry.if === undefined && entry.env === undefined && entry["continue-on-error"] === undefined;
}

async function readGitlab(parsed: unknown, files: DiscoveryFiles): Promise<FoundCheck[]> {
  const jobs = z.record(z.string(), z.unknown()).safeParse(parsed).data ?? {};
  const found: FoundCheck[] = [];
  for (const [name, value] of Object.entries(jobs)) {
    const { data } = gitlabJob.safeParse(value);
    if (data === undefined || data.allow_failure !== undefined || name.startsWith(".")) continue;
    for (const line of [data.script].flat()) {
      const check = await toCheck(line, ".", `.gitlab-ci.yml ${name}`, files);
      if (check !== null) found.push(check);
    }
  }
  return found;
}

const gitlabJob = z.looseObject({
  script: z.union([z.string(), z.array(z.string())]),
  allow_failure: z.unknown().optional(),
});

async function toCheck(
  run: string,
  cwd: string,
  provenance: string,
  files: DiscoveryFiles,
): Promise<FoundCheck | null> {
  const line = run.trim();
  if (!/^[\w./:@=+,-]+(?: +[\w./:@=+,-]+)*$/.test(line) || !isBelow(cwd)) return null;
  const words = line.split(/ +/);
  const place = joinPath(".", cwd);
  const scripts = parseScripts(await files.readText(joinPath(place, "package.json")));
  const known = classifyCommand(words, scripts);
  if (known === null) return null;
  return { ...known, run: words, provenance, ...(place === "." ? {} : { cwd: place }) };
}

function isBelow(cwd: string): boolean {
  return /^[\w./-]+$/.test(cwd) && !cwd.startsWith("/") && !joinPath(".", cwd).startsWith("..");
}
