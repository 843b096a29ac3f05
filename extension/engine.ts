// What dist/engine.js gives to dist/extension.js on first use: the engine, and the transcript, which shares its packages.
// Both bundles carry their own copy of small pure modules, so nothing that depends on identity may be needed by both.
export { composeRuns } from "./compose";
export { TranscriptPanels } from "./host/transcript/transcriptPanels";
