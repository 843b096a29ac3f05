import { readConfigFile as read, type ConfigFile } from "../node/configFile";
import { refuse, type Refusal } from "./exitCodes";

export type { ConfigFile } from "../node/configFile";

/** As in node/configFile, with the exit code of an error. */
export async function readConfigFile(
  ...args: Parameters<typeof read>
): Promise<{ ok: true; file: ConfigFile | null } | Refusal> {
  const found = await read(...args);
  return found.ok ? found : refuse(found.message);
}
