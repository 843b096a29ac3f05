// The only file that talks to the editor around the page.
import {
  parseSavedPage,
  parseToWebview,
  type SavedPage,
  type ToHost,
  type ToWebview,
} from "../extension/protocol/webviewMessages";

interface EditorApi {
  postMessage(message: ToHost): void;
  getState(): unknown;
  setState(state: SavedPage): void;
}

declare function acquireVsCodeApi(): EditorApi;

const api = acquireVsCodeApi();

export function postToHost(message: ToHost): void {
  api.postMessage(message);
}

/** What cannot be read is dropped: a page that is half drawn would be worse than one that is late. */
export function listenToHost(listener: (message: ToWebview) => void): void {
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    const parsed = parseToWebview(event.data);
    if (parsed.ok) listener(parsed.value);
  });
}

export function readSavedPage(): SavedPage | null {
  return parseSavedPage(api.getState());
}

export function savePage(page: SavedPage): void {
  api.setState(page);
}
