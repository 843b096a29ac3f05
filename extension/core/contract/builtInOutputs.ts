// Folders that tools write and people do not: what lies in them is no change to the work.
// Two lists, because some of these names are now and then real source.

/** Caches and dependency folders. Left out of every snapshot, wherever they are. */
export const cacheFolders: readonly string[] = [
  "node_modules",
  "bower_components",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".hypothesis",
  ".tox",
  ".nox",
  ".venv",
  ".eggs",
  ".ipynb_checkpoints",
  ".gradle",
  ".next",
  ".nuxt",
  ".svelte-kit",
  ".angular",
  ".turbo",
  ".parcel-cache",
  ".nyc_output",
  ".dart_tool",
  ".terraform",
  "htmlcov",
];

/** Build results by custom. A folder of such a name that holds files tracked by the person's git is source instead. */
export const buildFolders: readonly string[] = ["dist", "target", "coverage", "venv"];

/** All folder names whose content does not count as a change. */
export const builtInOutputs: readonly string[] = [...cacheFolders, ...buildFolders];
