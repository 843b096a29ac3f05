// The real command line in a process that ends itself by SIGKILL at a chosen line of its journal. Bundled by killingCliBench.
import { createProcessIo } from "../../extension/cli/processIo";
import { runCli } from "../../extension/cli/runCli";
import { FileJournalStore } from "../../extension/node/fileJournalStore";
import { killVariable, type KillAt } from "./killingCliPoint";

const wish = process.env[killVariable];
if (wish !== undefined) killAt(JSON.parse(wish) as KillAt);

function killAt({ type, nth = 1, when = "after", where = {} }: KillAt): void {
  const store = FileJournalStore.prototype;
  const append = (of: FileJournalStore, text: string, durable: boolean, head?: string) =>
    plainAppend.call(of, text, durable, head);
  const plainAppend = Object.getOwnPropertyDescriptor(store, "append")?.value as FileJournalStore["append"];
  let left = nth;
  store.append = async function (text, durable, head) {
    const line = JSON.parse(text) as Record<string, unknown>;
    const isMeant = line["type"] === type && Object.entries(where).every(([key, value]) => line[key] === value);
    if (isMeant) left -= 1;
    const isLast = isMeant && left === 0;
    if (isLast && when === "before") die();
    await append(this, text, durable || isLast, head);
    if (isLast) die();
  };
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
}

void (async () => {
  const io = createProcessIo(process);
  process.exitCode = await runCli(process.argv.slice(2), io);
  io.close();
  setTimeout(() => process.exit(), 100).unref();
})();
