import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const mostEntryBytes = 64_000;
// What hands out or recognises by identity, so that a second copy would recognise nothing.
const onlyInEntry = ["extension/host/views/rowForest.ts", "extension/host/lazyRuns.ts"];

interface Bundle {
  bytes: number;
  files: string[];
  externals: string[];
}

interface Output {
  bytes: number;
  inputs: Record<string, { bytesInOutput: number }>;
  imports: { path: string; external?: boolean }[];
}

async function readBundle(folder: string, name: string): Promise<Bundle> {
  const text = await readFile(join(folder, `${name}.js.meta.json`), "utf8");
  const { outputs } = JSON.parse(text) as { outputs: Record<string, Output> };
  const [output, ...others] = Object.values(outputs);
  if (output === undefined || others.length > 0) throw new Error(`${name} is not one file`);
  return {
    bytes: output.bytes,
    files: Object.keys(output.inputs),
    externals: output.imports.filter(({ external }) => external === true).map(({ path }) => path),
  };
}

describe("the bundle that is loaded at activation", () => {
  let folder: string;
  let entry: Bundle;
  let engine: Bundle;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "donegate-bundles-"));
    const words = ["--production", "--metafile", "--only", "extension", "--only", "engine", "--into", folder];
    await promisify(execFile)(process.execPath, [join(root, "esbuild.mjs"), ...words], { cwd: root });
    entry = await readBundle(folder, "extension");
    engine = await readBundle(folder, "engine");
  }, 60_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("stays small", () => {
    expect(entry.bytes).toBeLessThan(mostEntryBytes);
  });

  it("carries no package", () => {
    expect(entry.files.filter((file) => file.includes("node_modules"))).toEqual([]);
  });

  it("leaves the engine and the transcript to the bundle beside it", () => {
    expect(entry.externals).toContain("./engine.js");
    for (const file of ["extension/compose.ts", "extension/host/transcript/transcriptPanels.ts"]) {
      expect(entry.files).not.toContain(file);
      expect(engine.files).toContain(file);
    }
  });

  it("alone carries what is recognised by identity", () => {
    for (const file of onlyInEntry) {
      expect(entry.files).toContain(file);
      expect(engine.files).not.toContain(file);
    }
  });
});
