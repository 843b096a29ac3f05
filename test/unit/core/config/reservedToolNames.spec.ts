import { expect, it } from "vitest";
import { reservedToolNames } from "../../../../extension/core/config/reservedToolNames";
import { builtInToolNames } from "../../../../extension/core/tools/createTools";

it("every tool the engine has is reserved", () => {
  expect(builtInToolNames.length).toBeGreaterThan(5);
  expect(builtInToolNames.filter((name) => !reservedToolNames.includes(name))).toEqual([]);
});
