import picomatch from "picomatch/posix";
import * as z from "zod";

/** Many stars in one segment make matching explode, and matching cannot be stopped. */
const maxStars = 4;

export const globArgument = z
  .string()
  .min(1)
  .max(300)
  .refine(
    (glob) => glob.split("/").every((segment) => (segment.match(/\*+/g) ?? []).length <= maxStars),
    `must not have more than ${maxStars} stars between two slashes`,
  );

/** A glob without a slash matches a name at any depth; one with a slash matches the whole relative path. */
export function matchGlob(glob: string): (relativePath: string) => boolean {
  const anchored = glob.replace(/^\.?\//, "");
  const options = { dot: true, noextglob: true, basename: !anchored.includes("/") };
  return picomatch(anchored, options);
}
