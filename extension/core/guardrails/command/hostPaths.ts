// Places on the machine itself whose loss or change a person could not undo. No approval makes such a call sensible.
import { normalisePath } from "../../tools/workspacePath";

export interface Host {
  /** The person's home folder. */
  home: string;
  /** The workspace; deleting it or a folder above it ends the work and the records of it. Null on another machine. */
  root: string | null;
}

const systemFolders =
  /^\/(?:private\/)?(?:etc|bin|sbin|lib|lib32|lib64|boot|proc|sys|dev|usr(?!\/local(?:\/|$))|System|Library)(?:\/|$)/;
const scratch: ReadonlySet<string> = new Set(["/tmp", "/private/tmp"]);
const windowsTop =
  /^[A-Za-z]:[\\/]*(?:\*(?:\.\*)?)?$|^[A-Za-z]:[\\/]+(?:windows|users|program files[^\\/]*|programdata)[\\/*.]*$/i;

/** Deleting, moving or re-owning everything at and below `path` (absolute). Null: no place of the machine's own. */
export function treeDanger(path: string, { home, root }: Host): string | null {
  if (windowsTop.test(path)) return "destroys the host";
  const place = normalisePath(path.replace(/(?:\/+(?:\*+|\.\*|\.|\{[^/]*\}))+\/*$/, "") || "/");
  const isContents = /\*\/*$/.test(path);
  if (place === "/") return "destroys the host";
  if (place === home || (home !== "/" && home.startsWith(`${place}/`) && place.split("/").length > 1)) {
    return place === home ? "destroys the home folder" : "destroys the host";
  }
  if (root !== null && (place === root || root.startsWith(`${place}/`)) && !scratch.has(place)) {
    return "destroys the workspace";
  }
  if (systemFolders.test(place)) return "destroys a part of the system";
  return /^\/[^/]+$/.test(place) && !(scratch.has(place) && isContents) ? "destroys the host" : null;
}

const harmlessDevices = /^\/dev\/(?:null|zero|full|u?random|stdin|stdout|stderr|tty|fd(?:\/\d+)?)$/;
const channels = /^\/dev\/(?:tcp|udp)(?:\/|$)/;

export function isHarmlessDevice(path: string): boolean {
  return harmlessDevices.test(path);
}

/** bash opens a connection for these names. */
export function isNetworkChannel(path: string): boolean {
  return channels.test(path);
}

/** Writing or deleting one file at `path` (absolute). */
export function fileDanger(path: string): string | null {
  const place = normalisePath(path);
  if (/^\/dev\//.test(place)) return harmlessDevices.test(place) ? null : "writes to a device";
  if (/^[A-Za-z]:[\\/]+windows[\\/]/i.test(path)) return "changes a system file";
  return systemFolders.test(`${place}/`) ? "changes a system file" : null;
}
