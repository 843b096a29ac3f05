import { nothingFound, oneCheck, type Discovery } from "./discovery";
import type { DiscoveryFiles } from "./discoveryFiles";

const gradleFiles = ["settings.gradle.kts", "settings.gradle", "build.gradle.kts", "build.gradle"];

/** Maven or Gradle by the wrapper where there is one. Gradle is told to run its tests again: up to date is no result. */
export async function discoverJvm(files: DiscoveryFiles): Promise<Discovery> {
  const names = await files.listFiles(".", 1);
  const found = { ecosystem: "jvm", kind: "test" } as const;
  if (names.includes("pom.xml")) {
    const program = names.includes("mvnw") ? "./mvnw" : "mvn";
    return oneCheck({ ...found, name: "maven-test", run: [program, "-B", "test"], provenance: "pom.xml" });
  }
  const file = gradleFiles.find((name) => names.includes(name));
  if (file === undefined) return nothingFound;
  const program = names.includes("gradlew") ? "./gradlew" : "gradle";
  return oneCheck({ ...found, name: "gradle-test", run: [program, "cleanTest", "test"], provenance: file });
}
