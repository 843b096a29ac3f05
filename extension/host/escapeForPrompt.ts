const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Every argument, with invisible and bidirectional characters written out: a prompt shows what will run. */
export function escapeForPrompt(args: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(args, null, 2);
  return text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
