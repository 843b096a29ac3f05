import { nothingFound, oneCheck, type Discovery } from "./discovery";
import type { DiscoveryFiles } from "./discoveryFiles";

/** rspec where there are specs, else the Rakefile's `test` or `spec` task; through bundler where a Gemfile locks it. */
export async function discoverRuby(files: DiscoveryFiles): Promise<Discovery> {
  const names = await files.listFiles(".", 1);
  const found = { ecosystem: "ruby", kind: "test" } as const;
  const start = names.includes("Gemfile") ? ["bundle", "exec"] : [];
  const spec = (await files.listFiles("spec", 4)).find((path) => path.endsWith("_spec.rb"));
  if (spec !== undefined) {
    const provenance = names.includes(".rspec") ? ".rspec" : spec;
    return oneCheck({ ...found, name: "rspec", run: [...start, "rspec"], provenance });
  }
  const rakefile = ["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"].find((name) => names.includes(name));
  if (rakefile === undefined) return nothingFound;
  const task = taskOf((await files.readText(rakefile)) ?? "");
  if (task === null) return nothingFound;
  return oneCheck({ ...found, name: `rake-${task}`, run: [...start, "rake", task], provenance: `${rakefile} ${task}` });
}

function taskOf(text: string): string | null {
  const named = /^\s*task\s*\(?\s*:?["']?(test|spec)\b/m.exec(text)?.[1];
  if (named !== undefined) return named;
  if (/^\s*(?:Rake::TestTask|Minitest::TestTask)\.(?:new|create)\b/m.test(text)) return "test";
  return /^\s*RSpec::Core::RakeTask\.new\b/m.test(text) ? "spec" : null;
}
