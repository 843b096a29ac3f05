export interface ServerPlace {
  node: string;
  main: string;
  env: NodeJS.ProcessEnv;
  dataDir: string;
}
export interface ServerOptions extends ServerPlace {
  settings?: Record<string, unknown>;
  /** 0: any that is free. */
  port?: number;
  endsByItself?: boolean;
  trustsAll?: boolean;
  readsPayload?: boolean;
}
export interface VscodeServer {
  port: number;
  pid: number;
  url: string;
  exited: Promise<unknown>;
  stop(): Promise<void>;
}
export function startVscodeServer(options: ServerOptions): Promise<VscodeServer>;
export function runVscodeServer(place: ServerPlace, words: string[]): Promise<{ exitCode: number; output: string }>;
export function workbenchAddress(url: string, folder: string, payload: Record<string, string>): string;
export function developmentPayload(url: string, extension: string): Record<string, string>;
export function remotePath(url: string, path: string): string;
