import type { ShellSyntax } from "../../ports/shellGrammar";
import { ask, deny, type Verdict } from "../verdict";
import { isKnownProgram } from "./judgeProgram";

/** A function that takes the place of a program changes what later words mean; one that starts itself twice is a bomb. */
export function judgeFunction(name: string, node: ShellSyntax): Verdict | null {
  const calls = namesCalled(node).filter((each) => each === name).length;
  if (calls > 0 && /[|&]/.test(node.text)) return deny("command.fork-bomb", `${name} starts itself over and over`);
  if (calls > 0) return ask("command.recursion", `${name} calls itself`, "normal");
  return isKnownProgram(name) ? ask("command.redefines", `${name} is made to mean something else`, "normal") : null;
}

function namesCalled(node: ShellSyntax): readonly string[] {
  const own = node.type === "command_name" ? [node.text] : [];
  return [...own, ...node.children.flatMap(namesCalled)];
}
