import { refuse, refuseFile } from "./toolResult";
import type { ToolContext, ToolResult } from "./toolDef";
import type { WorkspacePath } from "./workspacePath";

const mostNames = 5_000;

export interface TwinName {
  /** Relative to the root. */
  path: string;
  /** Only its Unicode form is another: on the screen the two names are the same. */
  looksSame: boolean;
}

/** A name beside `place` that many disks take for the same: other case, or accents stored another way. */
export async function findTwin(place: WorkspacePath, context: ToolContext): Promise<TwinName | null> {
  const cut = place.absolute.lastIndexOf("/");
  const name = place.absolute.slice(cut + 1);
  const above = place.relative.slice(0, place.relative.length - name.length);
  const folder = place.absolute.slice(0, cut) || "/";
  const skip = (below: string): boolean => context.ports.isHidden(above + below);
  const listed = await context.ports.files.list(folder, { depth: 1, limit: mostNames, skip });
  if (!listed.ok) return null;
  const twin = listed.value.entries.find(({ path }) => path !== name && fold(path) === fold(name));
  return twin === undefined ? null : { path: above + twin.path, looksSame: toForm(twin.path) === toForm(name) };
}

/** For a file that is to be there and is not. */
export async function refuseMissing(place: WorkspacePath, context: ToolContext): Promise<ToolResult> {
  const twin = await findTwin(place, context);
  if (twin === null) return refuseFile(place, { code: "not-found", message: "" });
  return refuse("not-found", `${place.relative}: there is no such file; ${describeTwin(twin)}`);
}

export function describeTwin({ path, looksSame }: TwinName): string {
  const how = looksSame ? "looks the same and is stored with other Unicode characters" : "differs only in case";
  return `${path} ${how}; list_files shows it as it is`;
}

const toForm = (name: string): string => name.normalize("NFC");
const fold = (name: string): string => toForm(name).toLowerCase();
