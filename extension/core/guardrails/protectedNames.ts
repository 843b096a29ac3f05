// Files that decide how this machine, the editor or git behave, by name and at any depth, whether they exist or not.

export interface ProtectedName {
  rule: string;
  /** What a shell gets; an edit tool can show a diff and asks. */
  shell: "ask" | "deny";
  what: string;
}

const startUpFiles: ReadonlySet<string> = new Set([
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".inputrc",
  "config.fish",
]);

const toolConfigs: ReadonlySet<string> = new Set([".envrc", ".npmrc", ".mcp.json", ".devcontainer.json"]);

/** `path` in comparison form: relative to the root, or absolute outside it. */
export function protectedName(path: string): ProtectedName | null {
  const segments = path.split("/");
  const name = segments.at(-1) ?? "";
  const parent = segments.at(-2);
  if (name.endsWith(".code-workspace") || (parent === ".vscode" && name === "settings.json")) {
    return { rule: "paths.editor-settings", shell: "deny", what: "settings of the editor" };
  }
  if (segments.includes(".git")) return { rule: "paths.git", shell: "ask", what: "part of git's own folder" };
  if (name === ".vscode" || (parent === ".vscode" && name.endsWith(".json"))) {
    return { rule: "paths.editor-files", shell: "ask", what: "a file the editor acts on" };
  }
  if (segments.includes(".devcontainer") || toolConfigs.has(name)) {
    return { rule: "paths.tool-config", shell: "ask", what: "a file other tools act on by themselves" };
  }
  if (startUpFiles.has(name)) return { rule: "paths.shell-start-up", shell: "ask", what: "a start-up file of a shell" };
  if (name === "donegate.yaml" || segments.includes(".donegate")) {
    return { rule: "paths.nested-config", shell: "deny", what: "a configuration of this harness for another folder" };
  }
  return null;
}
