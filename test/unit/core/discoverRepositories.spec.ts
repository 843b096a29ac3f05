// One small repository for each ecosystem, as it lies on the disk: the same files give the same checks.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { classifyCommand } from "../../../extension/core/contract/discover/classifyCommand";
import { discoverChecks } from "../../../extension/core/contract/discover/discoverChecks";
import { createDiscoveryFiles } from "../../../extension/core/contract/discover/discoveryFiles";
import { NodeWorkspaceFiles } from "../../../extension/node/nodeWorkspaceFiles";

const repositories = join(import.meta.dirname, "../../fixtures/repos");

/** `name: command <- provenance`, with the folder where it is not the root. */
async function discover(repository: string): Promise<string[]> {
  const root = join(repositories, repository);
  const { checks } = await discoverChecks(createDiscoveryFiles(new NodeWorkspaceFiles(), root));
  return checks.map(({ name, run, cwd, provenance }) => {
    const place = cwd === "." ? "" : ` in ${cwd}`;
    return `${name}: ${[run].flat().join(" ")}${place} <- ${provenance}`;
  });
}

const expected: Record<string, string[]> = {
  npm: [
    "test: npm test <- package.json scripts.test",
    "lint: npm run lint <- package.json scripts.lint",
    "typecheck: npm run typecheck <- package.json scripts.typecheck",
  ],
  placeholder: [],
  "pnpm-monorepo": [
    "packages/a/test: pnpm test in packages/a <- packages/a/package.json scripts.test",
    "packages/a/lint: pnpm run lint in packages/a <- packages/a/package.json scripts.lint",
    "packages/b/test: pnpm test in packages/b <- packages/b/package.json scripts.test",
  ],
  bun: ["bun-test: bun test <- sum.test.js"],
  deno: ["deno-test: deno task test <- deno.jsonc tasks.test"],
  pytest: ["pytest: pytest -q <- pyproject.toml [tool.pytest.ini_options]"],
  uv: ["pytest: uv run pytest -q <- tests/test_sum.py"],
  tox: ["tox: tox <- tox.ini [testenv]"],
  cargo: ["cargo-test: cargo test <- Cargo.toml"],
  nextest: ["cargo-nextest: cargo nextest run <- .config/nextest.toml"],
  go: ["go-test: go test ./... <- go.mod"],
  "go-work": [
    "go-test api: go test ./... in api <- go.work use api",
    "go-test cmd: go test ./... in cmd <- go.work use cmd",
  ],
  maven: ["maven-test: ./mvnw -B test <- pom.xml"],
  gradle: ["gradle-test: ./gradlew cleanTest test <- settings.gradle.kts"],
  dotnet: ["dotnet-test: dotnet test X.sln <- X.sln"],
  rspec: ["rspec: bundle exec rspec <- .rspec"],
  rake: ["rake-test: rake test <- Rakefile test"],
  phpunit: ["phpunit: vendor/bin/phpunit <- phpunit.xml.dist"],
  composer: ["composer-test: composer test <- composer.json scripts.test"],
  mix: ["mix-test: mix test <- mix.exs"],
  make: ["make-test: make test <- Makefile test", "make-lint: make lint <- Makefile lint"],
  workflows: [
    "test:unit: npm run test:unit <- .github/workflows/ci.yml test",
    "pytest: pytest -q in service <- .github/workflows/ci.yml test",
    "lint: npm run lint <- package.json scripts.lint",
    "typecheck: npm run typecheck <- package.json scripts.typecheck",
  ],
  gitlab: ["cargo-test: cargo test --workspace <- .gitlab-ci.yml unit"],
  folders: [
    "api/pytest: pytest -q in api <- api/pyproject.toml [tool.pytest.ini_options]",
    "web/test: yarn test in web <- web/package.json scripts.test",
  ],
  nothing: [],
};

describe("a repository", () => {
  it("of each kind is here", () => {
    expect(readdirSync(repositories).sort()).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.entries(expected))("%s declares its checks, each time the same", async (repository, checks) => {
    expect(await discover(repository)).toEqual(checks);
    expect(await discover(repository)).toEqual(checks);
  });
});

describe("a command line of CI", () => {
  const scripts = { test: "vitest run", lint: "eslint .", build: "tsc -b", "test:e2e": "x", "test:watch": "vitest" };

  it.each([
    ["npm test", "test"],
    ["yarn lint", "lint"],
    ["pnpm run test:e2e", "test:e2e"],
    ["npx vitest run", "vitest"],
    ["python -m pytest tests", "pytest"],
    ["poetry run pytest", "pytest"],
    ["uv run mypy src", "mypy"],
    ["go test -race ./...", "go"],
    ["./mvnw -B verify", "maven"],
    ["./gradlew check", "gradle"],
    ["dotnet test --no-restore", "dotnet"],
    ["bundle exec rspec", "rspec"],
    ["bundle exec rake test", "rake-test"],
    ["mix test", "mix-test"],
    ["cargo nextest run", "nextest"],
    ["npx tsc --noEmit", "tsc"],
    ["make lint", "make-lint"],
  ])("%s is a check", (line, name) => {
    expect(classifyCommand(line.split(" "), scripts)?.name).toBe(name);
  });

  it.each([
    "npm ci",
    "npm run build",
    "npm run missing-test",
    "npm run test:watch",
    "npm test -- --watch",
    "npx vitest --help",
    "pip install pytest",
    "pytest --collect-only",
    "eslint --fix .",
    "cargo build",
    "cargo test --no-run",
    "mvn -B package -DskipTests",
    "make deploy",
    "echo pytest",
    "deploy.sh test",
  ])("%s is none", (line) => {
    expect(classifyCommand(line.split(" "), scripts)).toBeNull();
  });
});
