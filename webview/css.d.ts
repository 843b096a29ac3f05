/** Bundled into dist/webview.css. */
declare module "*.css";
