import { expect, it } from "vitest";
import { builtInParameters } from "../../../../extension/core/config/builtInParameters";
import { createTools } from "../../../../extension/core/tools/createTools";

it("every built-in tool's parameters are known, and no others", () => {
  const tools = createTools({}, { checkNames: () => [] }).wire();
  const declared = tools.map(({ function: { name, parameters } }) => [
    name,
    Object.keys(parameters["properties"] as object).sort(),
  ]);
  expect(declared.length).toBeGreaterThan(5);
  expect(Object.entries(builtInParameters).map(([name, known]) => [name, [...known].sort()])).toEqual(declared);
});
