/** What the calls of the built-in tools may say, by tool. A table of its own, so that reading a configuration loads no tool. */
export const builtInParameters: Readonly<Record<string, readonly string[]>> = {
  read_file: ["path", "offset", "limit"],
  list_files: ["path", "glob"],
  search: ["query", "path", "glob"],
  edit_file: ["path", "old", "new"],
  write_file: ["path", "content"],
  delete_file: ["path"],
  move_file: ["path", "to"],
  run_command: ["command", "cwd", "timeoutMs"],
  run_tests: ["check"],
  todowrite: ["todos"],
  ask_human: ["question"],
};
