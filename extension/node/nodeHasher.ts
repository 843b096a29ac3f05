import { createHash } from "node:crypto";
import type { Hasher } from "../core/ports/hasher";

export class NodeHasher implements Hasher {
  sha256(data: string | Uint8Array): string {
    return createHash("sha256").update(data).digest("hex");
  }
}
