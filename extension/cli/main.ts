// Entry of the command line bundle: the process's own streams, variables and signals, and nothing else.
import { endOnUncaught } from "./endOnUncaught";
import { createProcessIo } from "./processIo";
import { runCli } from "./runCli";

const lingerMs = 100;

void (async () => {
  const io = createProcessIo(process);
  endOnUncaught(process, io);
  process.exitCode = await runCli(process.argv.slice(2), io);
  io.close();
  // Connections that are kept open for a next request must not keep the process.
  setTimeout(() => process.exit(), lingerMs).unref();
})();
