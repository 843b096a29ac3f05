import { readFileSync } from "node:fs";

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;

/** The entries of a zip file's directory: { name, packedBytes, mode }. Throws on a file that is none, or on zip64. */
export function readZipEntries(path) {
  const bytes = readFileSync(path);
  // The end record is followed by a comment of at most 64 KB.
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== endSignature) end -= 1;
  if (end < 0) throw new Error(`${path} is not a zip file`);
  const entries = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) !== entrySignature) throw new Error(`${path} has a directory that cannot be read`);
    const nameLength = bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString("utf8", at + 46, at + 46 + nameLength),
      packedBytes: bytes.readUInt32LE(at + 20),
      mode: bytes.readUInt16LE(at + 40) & 0o777,
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}
