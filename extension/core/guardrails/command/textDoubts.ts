// What the grammar is known to read wrongly without saying so.
export interface Doubt {
  decision: "ask" | "deny";
  rule: string;
  reason: string;
}

export function doubtsOf(text: string): readonly Doubt[] {
  const doubts: Doubt[] = [];
  const doubt = (reason: string): void =>
    void doubts.push({ decision: "ask", rule: "command.doubtful-syntax", reason });
  if (/(?:^|[\s;&|({])coproc\b/.test(text)) doubt("a coprocess is not followed");
  if (text.includes("$[")) doubt("`$[…]` is not followed");
  if (/\\`/.test(text) && (text.match(/`/g) ?? []).length > 2) doubt("backquotes inside backquotes are not followed");
  // bash evaluates a subscript in a name it is given as text.
  if (/'[A-Za-z_]\w*\[[^\]']*(?:\$\(|`)/.test(text)) doubt("a subscript in quotes may run a command");
  if (isForkBomb(text)) doubts.push({ decision: "deny", rule: "command.fork-bomb", reason: "a fork bomb" });
  for (const [pattern, rule, reason] of foreign) {
    if (pattern.test(text)) doubts.push({ decision: "deny", rule: `command.${rule}`, reason });
  }
  return doubts;
}

const fetches = String.raw`(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|downloadstring|downloadfile|start-bitstransfer)`;

/** PowerShell and cmd, which the grammar of bash does not follow. */
const foreign: readonly (readonly [pattern: RegExp, rule: string, reason: string])[] = [
  [
    new RegExp(String.raw`(?:^|[\s;|(&])(?:iex|invoke-expression)\b[^]*\b${fetches}\b`, "i"),
    "remote-code",
    "remote text goes straight into an interpreter",
  ],
  [
    new RegExp(String.raw`\b${fetches}\b[^;\n]*\|\s*(?:iex|invoke-expression)\b`, "i"),
    "remote-code",
    "remote text goes straight into an interpreter",
  ],
  [
    /\b(?:iex|invoke-expression)\b[^]*frombase64string/i,
    "remote-code",
    "decoded text goes straight into an interpreter",
  ],
  [
    /(?:^|[\s;|(&"'])(?:del|erase|rd|rmdir)\s+(?:\/[a-z]\s+)*\/s\b[^;|&\n]*?["']?(?:[a-z]:[\\/]*(?:\*(?:\.\*)?)?|%(?:userprofile|systemroot|windir|systemdrive|homepath)%[^\s"']*)["']?(?=\s|$|["'])/i,
    "host",
    "destroys the host",
  ],
  [
    /(?:^|[\s;|(&"'])(?:remove-item|ri|rm|del)\b[^;|\n]*\s["']?(?:[a-z]:[\\/]*\*?|\$env:(?:userprofile|systemroot|windir|homedrive|home)[\\/]*\*?|\$home[\\/]*\*?)["']?(?=\s|$|["'])/i,
    "host",
    "destroys the host",
  ],
  [
    /(?:^|[\s;|(&"'])(?:type|dir|copy|xcopy|robocopy|move|del|start|net\s+use|pushd|get-content|gc|get-childitem|gci|copy-item|test-path|import-module|more|findstr|icacls|cmd\s+\/c)\b[^;|&\n]*\s['"]?\\\\[\w.-]+\\/i,
    "network-share",
    "a network share is sent this machine's credentials",
  ],
  [
    /\b(?:mshta|regsvr32|rundll32)\b[^\n]*(?:https?:|javascript:|vbscript:)/i,
    "remote-code",
    "remote text goes straight into an interpreter",
  ],
  [/\bvssadmin\b[^\n]*\bdelete\b|\bbcdedit\b[^\n]*\/delete/i, "host", "removes the ways back of the host"],
];

/** A name that is defined to start itself twice. */
function isForkBomb(text: string): boolean {
  const found = /(?:^|[\s;&|])(?:function\s+)?([\w:.-]+)\s*(?:\(\s*\))?\s*\{([^}]*)\}/g;
  for (const [, name = "", body = ""] of text.matchAll(found)) {
    const calls = body.split(/[\s;|&]+/).filter((word) => word === name).length;
    if (calls > 0 && /[|&]/.test(body)) return true;
  }
  return false;
}
