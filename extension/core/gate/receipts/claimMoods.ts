// The words that decide whether a sentence says that something was done. Where they leave a doubt, it was not said.

export type Mood = "plain" | "open" | "done";

const openLead =
  /\b(?:not|never|next|remaining|remains?|todo|to[ -]do|open|pending|blocked|denied|refused|rejected|skipped|would|could|should|can|if|plan|planned|future|later|propos\w*|suggest\w*|options?|follow-?ups?|steps|needs?|awaiting|requires?|requirements?|manual(?:ly)?|recommend\w*|usage|how|examples?|criteria|acceptance|definition|aim|believe|goal|request|task|instructions?|expected|unable|failed|outstanding|left|missing|must|background|before|history|existing|previous(?:ly)?|context)\b|n't\b/i;
const doneLead =
  /^(?:(?:all|everything|it) (?:is )?)?(?:done|completed?|finished|accomplished)\b|^(?:here is )?what (?:I did|was done|I have done)\b|^(?:I )?(?:made )?(?:the )?(?:following )?changes(?: made)?\s*:?$|\b(?:is|are) (?:all )?(?:done|complete)\b/i;

const openMark = /^\[ \]|❌|✗|✘|⏳|🚫|⛔|☐|🔲/u;
const doneMark = /^\[[xX]\]|✅|✔|☑|✓/u;
const doneEnd = /[:—–-]\s*(?:done|completed?|success(?:ful)?|succeeded|finished)\.?$/i;

export function moodOfHeading(text: string): Mood {
  if (doneLead.test(text)) return "done";
  return openLead.test(text) ? "open" : "plain";
}

/** A lead-in is the last sentence of a paragraph that ends in a colon. */
export function moodOfLead(text: string): Mood {
  return moodOfHeading(text.split(/[.!?]\s+/).at(-1) ?? text);
}

export function markOf(text: string): Mood | null {
  if (openMark.test(text)) return "open";
  return doneMark.test(text) || doneEnd.test(text) ? "done" : null;
}

/** Negations that deny trouble, not the deed. */
export const neutralPhrases =
  /\b(?:with(?:out| no| zero)|no)(?: any| further| new)? (?:\w+ )?(?:errors?|issues?|problems?|failures?|warnings?|downtime|conflicts?|regressions?|trouble)\b|\bnot only\b|^as (?:you )?(?:\w+ed|usual),/gi;

export const takesBack =
  /^(?:but|however|yet|it|this|that|unfortunately|(?:the|my) \w+)\b.*\b(?:denied|refused|blocked|rejected|declined|failed|not (?:allowed|approved|permitted|go through))\b/i;

/** The first words under a heading that empty it: "### Deployed", "Nothing." */
export const emptiesHeading = /^(?:no|not|nothing|none|nobody|n\/a)\b/i;

const wholeSentenceDoubts = /\?["')]*\s*$|\b(?:if|unless|until)\b/i;

const doubtsBefore =
  /\b(?:not|never|no|none|nothing|nobody|neither|nor|cannot|without|unable|fail(?:ed|s)?|refus\w+|declin\w+|den(?:y|ied)|blocked|rejected|instead|rather|before|after|when|whenever|once|whether|will|would|should|could|can|may|might|must|shall|had|to be|to get|about to|going to|plan(?:s|ned|ning)?|intend\w*|want\w*|wish\w*|hop(?:e|ed|ing)|try|tried|trying|attempt\w*|propos\w+|suggest\w*|ask(?:s|ed|ing)?|request\w*|requir\w+|needs?|needed|await\w*|pending|ready|supposed|expect\w*|assum\w+|pretend\w*|claim\w*|said|says?|states?|shows?|check|verify|confirm|according|example|avoid\w*|skip\w*|prevent\w*|forbid\w*|how|where|why|what|who|yet to|to have|goal|aim|acceptance|please|make sure|ensure|remember|tell me|let me|believe|think|guess|suspect|presumably|probably|likely|apparently|previous(?:ly)?|earlier|originally|already|last|ago|old|existing|upstream|as soon as|every time|each time)\b|n't\b/i;

const doubtsAfter =
  /^\s*[:—–-]?\s*(?:to )?(?:no|nothing|none|neither|nobody|nowhere|zero)\b|\bautomatically\b|\b(?:on|at|for|with) (?:each|every)\b|\bwhenever\b|\bbefore\W*$|\b(?:denied|refused|rejected|blocked|declined|not approved|skipped|unsuccessful\w*|impossible|yesterday|previously|earlier|upstream|in (?:19|20)\d\d|since (?:v?\d|then))\b|\bago\b|\blast (?:week|month|year|time|night)\b|\b(?:has |have )?failed\b(?! (?:attempts?|tr))|\bneeds? (?:\w+ ){0,2}(?:approval|review|confirmation|decision|person)\b|\brequires? (?:\w+ ){0,2}(?:approval|review|confirmation|person)\b|\b(?:pending|awaiting|waiting (?:for|on)) (?:\w+ ){0,3}(?:approval|review|confirmation|decision|go-ahead|answer|person|you)\b|[:—–-]\s*(?:pending|no|not\b.*|skipped|open|todo|blocked)\.?\s*$|\bwas (?:attempted|tried|requested|proposed)\b/i;

const negatedVerbAfter =
  /^[^,;:]*\b(?:was|were|is|are|did|does|do|has|have|had|could|can|would|will|should|must|may|might)(?: not\b|n't\b)/i;
const laterDoubt = /^[^,;:]*\b(?:would|should|could|might|may|must)\b/i;
const otherActorBefore =
  /(?:^|\s)(?:you|(?:the )?users?|they|he|she|somebody|someone|(?:the |a |your |another )?(?:ci|pipeline|workflow|maintainers?|team|person|reviewer|colleague|developer|bot|human)s?)(?:'ve| have| has| just)?\s*$/i;
const otherActorAfter = /\bby (?!me\b|us\b|this run\b|the agent\b|\w+ing\b)/i;

/** Only what stands in the same clause can deny a verb from the left. */
const clauseStart =
  /;|[.!?]\s|:\s|\s[—–-]{1,2}\s|\b(?:but|however|although|though|while)\b|(?:,|\band)\s+(?:(?:then|so|now|finally)\s+)?(?=(?:I|we|it|everything|the \w+|all \w+)\b)/gi;

export function clauseBefore(text: string, at: number): string {
  const before = text.slice(0, at);
  const start = [...before.matchAll(clauseStart)].at(-1);
  return start === undefined ? before : before.slice(start.index + start[0].length);
}

interface Said {
  text: string;
  mood: Mood;
  takenBack: boolean;
}

/** Does the sentence say of the verb between `start` and `end` that the deed is done, by this run? */
export function isStated(sentence: Said, start: number, end: number): boolean {
  const { text } = sentence;
  const before = clauseBefore(text, start);
  const after = text.slice(end);
  if (sentence.mood === "open" || sentence.takenBack || wholeSentenceDoubts.test(text)) return false;
  if (doubtsBefore.test(before) || otherActorBefore.test(before)) return false;
  return ![doubtsAfter, negatedVerbAfter, laterDoubt, otherActorAfter].some((doubt) => doubt.test(after));
}
