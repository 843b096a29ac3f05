// Files that usually hold secrets, by name: reading one asks, searches and lists leave them out.

const samples = /\.(?:example|sample|template|dist)$/;

const secretNames: readonly RegExp[] = [
  /^\.env/,
  /\.(?:pem|key|p12)$/,
  /^id_[^.]*$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)[^/]*(?<!\.pub)$/,
  /^\.netrc$/,
  /^\.pypirc$/,
  /^credentials/,
];

/** `path` in comparison form, relative to the root. Sample files by convention hold no secret. */
export function isSecretFile(path: string): boolean {
  const segments = path.split("/");
  const name = segments.at(-1) ?? "";
  if (segments.includes("secrets")) return true;
  return !samples.test(name) && secretNames.some((pattern) => pattern.test(name));
}

/** The same as globs for a search tool; a little wider (`.env.example` is left out as well). */
export const secretFileGlobs: readonly string[] = [
  "**/.env*",
  "**/*.pem",
  "**/*.key",
  "**/*.p12",
  "**/id_rsa*",
  "**/id_dsa*",
  "**/id_ecdsa*",
  "**/id_ed25519*",
  "**/.netrc",
  "**/.pypirc",
  "**/credentials*",
  "**/secrets/**",
];
