import picomatch from "picomatch/posix";

/** One test for many globs over contract paths. Dot files count, letter case does not; a plain folder name holds its content. */
export function matchAny(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const withContent = globs
    .map((glob) => glob.replace(/\/+$/, ""))
    .flatMap((glob) => (isGlob(glob) ? [glob] : [glob, `${glob}/**`]));
  const matches = picomatch(withContent, { dot: true, nocase: true });
  return (path) => matches(path.normalize("NFC"));
}

/** A glob that is meant below `folder`, whose own name is taken literally. */
export function globBelow(folder: string, glob: string): string {
  return folder === "." ? glob : `${escapeGlob(folder)}/${glob}`;
}

/** The deepest folder that holds everything the glob can match; `.` for anywhere. */
export function globFolder(glob: string): string {
  const segments = glob.split("/");
  const wild = segments.findIndex(isGlob);
  const fixed = segments.slice(0, wild < 0 ? -1 : wild);
  return fixed.length === 0 || fixed.some((segment) => segment.includes("\\")) ? "." : fixed.join("/");
}

export function isGlob(path: string): boolean {
  return /[*?[\]{}!()]/.test(path);
}

function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]{}!()+@]/g, "\\$&");
}
