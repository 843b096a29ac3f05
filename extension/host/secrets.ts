// API keys, kept by VS Code and nowhere else; one per server, so that no server is sent the key of another.

/** The part of `vscode.SecretStorage` that is used. */
export interface SecretStore {
  get(key: string): Thenable<string | undefined>;
  store(key: string, value: string): Thenable<void>;
  delete(key: string): Thenable<void>;
}

export async function keyFor(secrets: SecretStore, baseUrl: string): Promise<string | null> {
  const key = (await secrets.get(nameOf(baseUrl)))?.trim() ?? "";
  return key === "" ? null : key;
}

/** An empty key forgets the one that was kept. */
export async function keepKey(secrets: SecretStore, baseUrl: string, key: string): Promise<void> {
  const trimmed = key.trim();
  if (trimmed === "") await secrets.delete(nameOf(baseUrl));
  else await secrets.store(nameOf(baseUrl), trimmed);
}

/** By origin: the paths of one server share a key. */
function nameOf(baseUrl: string): string {
  return `donegate.key:${URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl}`;
}
