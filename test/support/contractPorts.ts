import { NodeCommandRunner } from "../../extension/node/nodeCommandRunner";
import { NodeHasher } from "../../extension/node/nodeHasher";
import { NodeWorkspaceFiles } from "../../extension/node/nodeWorkspaceFiles";

/** The real disk, the real processes. */
export function createContractPorts() {
  return {
    files: new NodeWorkspaceFiles(),
    commands: new NodeCommandRunner({ runTag: "contract-test" }),
    hasher: new NodeHasher(),
  };
}
