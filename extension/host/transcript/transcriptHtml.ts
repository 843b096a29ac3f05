// The page around the transcript's script. Nothing may load but our own script, by its nonce, and our own style sheet.

export interface TranscriptHtmlParts {
  cspSource: string;
  script: string;
  style: string;
  /** New for each page, not to be guessed. */
  nonce: string;
  title: string;
}

export function renderTranscriptHtml({ cspSource, script, style, nonce, title }: TranscriptHtmlParts): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${cspSource}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeHtml(style)}">
<title>${escapeHtml(title)}</title>
</head>
<body>
<div id="root"></div>
<script nonce="${escapeHtml(nonce)}" src="${escapeHtml(script)}"></script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
