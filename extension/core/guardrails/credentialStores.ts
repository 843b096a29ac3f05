// Where a machine keeps what proves who its person is. Nothing an agent does needs to read there.
import { createNameIndex } from "./nameIndex";
import type { PlacePath } from "./placePath";

/** Below a home folder. */
const inHome: readonly string[] = [
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".kube",
  ".config/gcloud",
  ".config/gh",
  ".config/git/credentials",
  ".docker/config.json",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".terraform.d/credentials.tfrc.json",
  ".vault-token",
  ".pgpass",
  ".password-store",
  ".local/share/keyrings",
  "Library/keychains",
  // Browser profiles: cookies and saved passwords.
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  ".config/bravesoftware",
  ".config/microsoft-edge",
  ".config/opera",
  "snap/firefox",
  "Library/Application Support/google/chrome",
  "Library/Application Support/bravesoftware",
  "Library/Application Support/microsoft edge",
  "Library/Application Support/firefox",
  "Library/cookies",
  "appdata/local/google/chrome/user data",
  "appdata/local/microsoft/edge/user data",
  "appdata/roaming/mozilla/firefox",
  "appdata/roaming/gnupg",
  "appdata/local/microsoft/credentials",
];

const inSystem: readonly RegExp[] = [
  /^\/etc\/(?:shadow|gshadow|sudoers|master\.passwd)(?:[-/.].*)?$/,
  /^\/etc\/ssh\/ssh_host_[^/]*$/,
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem)$/,
  /^\/run\/secrets(?:\/|$)/,
  /^\/var\/run\/secrets(?:\/|$)/,
];

/** Folders that are a store wherever they stand outside the workspace: another person's home, a backup. */
const anywhere: ReadonlySet<string> = new Set([".ssh", ".aws", ".gnupg", ".kube", ".password-store"]);

/** Judges the comparison forms of an absolute path; `inside` says that it lies in the workspace. */
export function createCredentialStores(
  home: string,
  placePath: PlacePath,
): (keys: readonly string[], inside: boolean) => boolean {
  const stores = createNameIndex(
    inHome.map((name) => `${home}/${name}`),
    placePath,
  );
  return (keys, inside) =>
    stores.holds(keys) ||
    keys.some((key) => inSystem.some((pattern) => pattern.test(key))) ||
    (!inside && keys.some((key) => key.split("/").some((segment) => anywhere.has(segment))));
}
