// What the transcript's webview and the host say to each other. Both sides parse what they hear; what does not parse is dropped.
import * as z from "zod/mini";
import { transcriptView } from "./transcriptView";

// Compiling parsers at run time needs eval, which the webview's policy forbids.
z.config({ jitless: true });

const longestDraft = 20_000;

const identifier = z.string().check(z.minLength(1), z.maxLength(200));
const digest = z.string().check(z.minLength(1), z.maxLength(200));
const draft = z.string().check(z.maxLength(longestDraft));
const spokenDraft = draft.check(z.regex(/\S/));

/** Comes back in the answer. */
const request = z.int().check(z.nonnegative());

const openTarget = z.discriminatedUnion("what", [
  z.strictObject({ what: z.literal("journal") }),
  z.strictObject({ what: z.literal("output"), callId: identifier }),
  z.strictObject({ what: z.literal("file"), path: z.string().check(z.minLength(1), z.maxLength(4_096)) }),
]);

const toHost = z.discriminatedUnion("type", [
  /** The page listens. Nothing is posted to it before. */
  z.strictObject({ type: z.literal("ready") }),
  z.strictObject({ type: z.literal("approve"), request, id: identifier, digest }),
  z.strictObject({ type: z.literal("deny"), request, id: identifier, digest, reason: draft }),
  z.strictObject({ type: z.literal("answer"), request, id: identifier, digest, text: spokenDraft }),
  z.strictObject({ type: z.literal("review"), request, id: identifier, digest }),
  z.strictObject({ type: z.literal("steer"), request, text: spokenDraft }),
  z.strictObject({ type: z.literal("stop"), request }),
  z.strictObject({ type: z.literal("resume"), request }),
  z.strictObject({ type: z.literal("open"), request, target: openTarget }),
  z.strictObject({ type: z.literal("showEarlier"), request }),
]);

const toWebview = z.discriminatedUnion("type", [
  /** `now` is the host's clock, milliseconds since 1970. */
  z.strictObject({ type: z.literal("snapshot"), version: z.int(), now: z.number(), view: transcriptView }),
  /** More of the streamed text of `turn`; `at` is how many characters came before. Belongs to snapshot `version`. */
  z.strictObject({ type: z.literal("delta"), version: z.int(), turn: z.int(), at: z.int(), text: z.string() }),
  z.strictObject({
    type: z.literal("progress"),
    version: z.int(),
    progress: z.record(z.string(), z.string()),
    runningCheck: z.nullable(z.string()),
  }),
  /** Null: it was done. Else why not, for a person. */
  z.strictObject({ type: z.literal("answered"), request, refusal: z.nullable(z.string()) }),
  /** There is no such run (any more). */
  z.strictObject({ type: z.literal("gone"), message: z.string() }),
]);

/** What the page keeps over a reload: where the person was, nothing about the run but its id. */
const savedPage = z.object({
  run: identifier,
  scroll: z.optional(z.nullable(z.number())),
  draft: z.optional(draft),
  filter: z.optional(z.enum(["all", "decisions"])),
});

export type ToHost = z.infer<typeof toHost>;
export type ToWebview = z.infer<typeof toWebview>;
export type ToHostType = ToHost["type"];
export type ToWebviewType = ToWebview["type"];
export type ToHostOf<K extends ToHostType> = Extract<ToHost, { type: K }>;
export type ToWebviewOf<K extends ToWebviewType> = Extract<ToWebview, { type: K }>;
/** What expects an answer. */
export type HostRequest = Exclude<ToHost, { type: "ready" }>;
export type OpenTarget = z.infer<typeof openTarget>;
export type SavedPage = z.infer<typeof savedPage>;

/** One handler for each message: a missing one does not compile. */
export type ToHostHandlers<R> = { readonly [K in ToHostType]: (message: ToHostOf<K>) => R };
export type ToWebviewHandlers<R> = { readonly [K in ToWebviewType]: (message: ToWebviewOf<K>) => R };

export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: string };

/** For the host: everything a webview says is untrusted. */
export function parseToHost(message: unknown): Parsed<ToHost> {
  return parse(toHost, message);
}

export function parseToWebview(message: unknown): Parsed<ToWebview> {
  return parse(toWebview, message);
}

/** Null when it is not what a page saves. */
export function parseSavedPage(saved: unknown): SavedPage | null {
  const parsed = parse(savedPage, saved);
  return parsed.ok ? parsed.value : null;
}

function parse<T>(schema: z.ZodMiniType<T>, message: unknown): Parsed<T> {
  const parsed = schema.safeParse(message);
  if (parsed.success) return { ok: true, value: parsed.data };
  const places = parsed.error.issues
    .slice(0, 3)
    .map(({ path, code }) => `${path.map(String).join(".") || "."} ${code}`);
  return { ok: false, problem: places.join("; ") };
}
