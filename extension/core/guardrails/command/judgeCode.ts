// Code of another language given as text: it always asks, and what can be recognised in it denies.
import { mentionedWords } from "../commandWords";
import type { Bench } from "./bench";
import { treeDanger } from "./hostPaths";
import { unknownPiece } from "./word";

const reaches =
  /\b(?:urlopen|urllib|requests\.(?:get|post)|httpx|http\.get|https\.get|fetch\s*\(|net\/http|LWP|open-uri|Net::HTTP|curl_exec|file_get_contents\s*\(\s*["']https?|socket|fsockopen|TCPSocket)/;
const runsText = /\b(?:exec|eval|compile|Function|instance_eval|vm\.runIn\w+)\b\s*\(/;
const reverse = /\b(?:socket|TCPSocket|fsockopen|net\.(?:connect|Socket)|IO::Socket)/;
const shells = /(?:\/bin\/(?:ba|z|da|k)?sh|cmd\.exe|pty\.spawn|dup2|powershell)/;
const deletes =
  /\b(?:rmtree|rmSync|rm_rf|rm_r|rmdir|remove_tree|removeAll|RemoveAll|unlink|removedirs|rimraf|remove_dir_all|delTree)\b/;
const decodes =
  /\b(?:b64decode|atob|fromCharCode|unhexlify|fromhex|Buffer\.from\s*\([^)]*["'](?:base64|hex)|decode64|base64_decode|pack\s*\()/;

export function judgeCode(code: string, bench: Bench): void {
  bench.ask("inline-code", "code of another language is not read here");
  if (reaches.test(code) && runsText.test(code)) bench.deny("remote-code", "runs text from the network");
  if (decodes.test(code) && runsText.test(code)) bench.deny("remote-code", "runs decoded text");
  if (reverse.test(code) && shells.test(code)) bench.deny("reverse-shell", "hands a shell to another machine");
  const texts = textsOf(code);
  for (const text of texts) {
    const danger =
      deletes.test(code) && /^[~/]|^[A-Za-z]:/.test(text)
        ? treeDanger(text.replace(/^~/, bench.home), { home: bench.home, root: null })
        : null;
    if (danger !== null) bench.deny("host", danger);
    if (/^[\w./-]+\s+\S/.test(text) && text.length < 2000) bench.tryScript(text);
  }
  const list = /\[\s*(["'][^\]]*["'])\s*\]/.exec(code)?.[1];
  if (list !== undefined) bench.tryScript(textsOf(list).join(" "));
  for (const word of mentionedWords(code.replaceAll(unknownPiece, " "))) bench.mention(word);
  for (const text of texts) bench.mention(text);
}

function textsOf(code: string): readonly string[] {
  const found = code.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g);
  return [...found].map(([, double, single, back]) => double ?? single ?? back ?? "").filter((text) => text !== "");
}
