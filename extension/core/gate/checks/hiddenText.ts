// What a check prints may quote a hidden folder: its paths and its lines are taken out before the model reads the output.
// Everything else of the output is given, since a verdict without a reason cannot be repaired.
import { absolutePath } from "../../contract/contractPaths";
import type { ContractPorts } from "../../contract/contractPorts";
import { listHidden } from "../../contract/hiddenFolders";
import type { VerificationPlan } from "../../contract/verificationPlan";

const totalLimitBytes = 4_000_000;
const shortestLine = 4;
/** From this length on a hidden line is looked for inside longer lines, too. */
const shortestQuote = 12;

/** Answers the text without lines that show hidden folders. When the hidden text is unreadable or too much to compare, no line is shown. */
export async function withoutHiddenText(
  output: string,
  plan: Pick<VerificationPlan, "contract">,
  ports: Pick<ContractPorts, "files" | "hasher" | "commands">,
  root: string,
): Promise<string> {
  const folders = plan.contract.filter((entry) => entry.class === "hidden").map((entry) => entry.path);
  if (folders.length === 0 || output === "") return output;
  const hidden = await readHiddenLines(folders, ports, root);
  if (hidden === null) return "[output left out: it could not be compared with the hidden folders]";
  const names = folders.flatMap((folder) => [folder, absolutePath(root, folder)]);
  const quotes = [...hidden].filter((line) => line.length >= shortestQuote);
  const shows = (line: string): boolean => {
    const plain = bare(line);
    return (
      names.some((name) => line.includes(name)) || hidden.has(plain) || quotes.some((quote) => plain.includes(quote))
    );
  };
  const lines = output.split("\n");
  const kept = lines.filter((line) => !shows(line));
  const left = lines.length - kept.length;
  return left === 0 ? output : [...kept, `[${left} line(s) of hidden files left out]`].join("\n");
}

async function readHiddenLines(
  folders: readonly string[],
  ports: ContractPorts,
  root: string,
): Promise<Set<string> | null> {
  const found = new Set<string>();
  let left = totalLimitBytes;
  for (const folder of folders) {
    const files = await listHidden(folder, ports, root);
    if (typeof files === "string") return null;
    for (const file of files ?? []) {
      const read = await ports.files.read(absolutePath(root, file), left);
      if (!read.ok) return null;
      left -= read.value.bytes.length;
      for (const line of new TextDecoder().decode(read.value.bytes).split("\n")) {
        const plain = bare(line);
        if (plain.length >= shortestLine) found.add(plain);
      }
    }
  }
  return found;
}

/** A line without what reporters put around a quoted source line. */
function bare(line: string): string {
  return line
    .replace(/^[\s>|+\-E^]*(?:\d+\s*[|:]\s*)?/, "")
    .replace(/\s+/g, " ")
    .trim();
}
