import { NodeCommandRunner } from "../../extension/node/nodeCommandRunner";
import { NodeHasher } from "../../extension/node/nodeHasher";
import { NodeScratchFolders } from "../../extension/node/nodeScratchFolders";
import { NodeWorkspaceFiles } from "../../extension/node/nodeWorkspaceFiles";

/** The real disk, the real processes. */
export function createContractPorts() {
  return {
    files: new NodeWorkspaceFiles(),
    commands: new NodeCommandRunner({ runTag: "contract-test" }),
    scratch: new NodeScratchFolders(),
    hasher: new NodeHasher(),
  };
}
