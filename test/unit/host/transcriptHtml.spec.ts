import { describe, expect, it } from "vitest";
import { renderTranscriptHtml } from "../../../extension/host/transcript/transcriptHtml";

const parts = {
  ...{ cspSource: "https://*.example", script: "https://a.example/webview.js", style: "https://a.example/webview.css" },
  ...{ nonce: "n0nce", title: `</title><script>alert("x")</script>` },
};

describe("the transcript's page", () => {
  const html = renderTranscriptHtml(parts);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll("&#39;", "'");

  it("may load our script by its nonce and our style sheet, and nothing else", () => {
    expect(policy).toBe("default-src 'none'; script-src 'nonce-n0nce'; style-src https://*.example");
  });

  it("has one script, no inline code and no inline style", () => {
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain(`<script nonce="n0nce" src="https://a.example/webview.js"></script>`);
    expect(html).not.toMatch(/\son\w+=|style=|unsafe/);
  });
});
