export interface Hasher {
  /** SHA-256 of the bytes (text as UTF-8), 64 lower-case hexadecimal digits. */
  sha256(data: string | Uint8Array): string;
}
