import { afterAll, beforeAll, beforeEach, onTestFailed } from "vitest";
import { copyDemo, openWorkbench, type Workbench, type WorkbenchOptions } from "./workbench";

/**
 * For a describe block: one workbench on a copy of the sample workspace, opened before its tests and closed after them. A test
 * that fails leaves a screenshot named after it. Gives a function, because there is no workbench before the tests run.
 */
export function useWorkbench(options: WorkbenchOptions & { folder?: string } = {}): () => Workbench {
  let workbench: Workbench | null = null;
  let demo: ReturnType<typeof copyDemo> | null = null;
  beforeAll(async () => {
    demo = copyDemo();
    workbench = await openWorkbench(options.folder ?? demo.folder, options);
  });
  beforeEach(({ task }) => {
    onTestFailed(async () => {
      await workbench?.screenshot(`failed-${task.name.replace(/[^a-z0-9]+/gi, "-")}`);
    });
  });
  afterAll(async () => {
    await workbench?.close();
    demo?.dispose();
  });
  return () => {
    if (workbench === null) throw new Error("the workbench is not open yet");
    return workbench;
  };
}
