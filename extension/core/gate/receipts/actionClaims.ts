// Sentences that say an outside action is done.
import { environmentWords, outsideActions, type OutsideAction } from "./actionGrammar";
import { clauseBefore, isStated } from "./claimMoods";
import { spell, type Sentence } from "./claimSentences";
import { toWording, type Wording } from "./claimWording";
import { environmentsIn } from "./callWords";

export interface ActionClaim {
  action: OutsideAction;
  sentence: Sentence;
  /** The words that claim it, such as "deployed". */
  verb: string;
  wording: Wording;
  /** The clause around the verb, spans spelled out. */
  clause: string;
  /** The clause names an object that makes the verb this action. */
  hasObject: boolean;
  environments: ReadonlySet<string>;
}

export function findActionClaims(sentences: readonly Sentence[]): readonly ActionClaim[] {
  return sentences.flatMap((sentence) => outsideActions.flatMap((action) => claimsOf(sentence, action)));
}

interface Hit {
  start: number;
  end: number;
  wording: Wording;
}

function claimsOf(sentence: Sentence, action: OutsideAction): readonly ActionClaim[] {
  return findHits(sentence, action)
    .filter((hit) => isStated(sentence, hit.start, hit.end))
    .map((hit) => {
      const clause = clauseAround(sentence, hit);
      return {
        action,
        sentence,
        verb: sentence.text.slice(hit.start, hit.end),
        wording: hit.wording,
        clause,
        hasObject: action.object.test(clause),
        environments: environmentsIn(clause),
      };
    });
}

function findHits(sentence: Sentence, action: OutsideAction): readonly Hit[] {
  const { text, mood } = sentence;
  const hits: Hit[] = [];
  for (const { start, end } of matches(text, action.done)) {
    const wording = toWording(text, start, end);
    if (wording !== null) hits.push({ start, end, wording });
  }
  for (const { start, end } of matches(text, action.doing)) {
    if (inProgress.test(clauseBefore(text, start))) hits.push({ start, end, wording: "deed" });
  }
  for (const { start, end } of matches(text, succeeded(action.noun))) hits.push({ start, end, wording: "deed" });
  const base = mood === "done" ? action.base.exec(text) : null;
  if (base !== null) hits.push({ start: 0, end: base[0].length, wording: "deed" });
  return hits;
}

const inProgress = /\b(?:am|'m|are|'re|is|finished|completed|done) (?:now |currently )?$/i;

/** "The deployment to prod succeeded", "Prod deploy: done"; not "the deployment script is complete". */
function succeeded(noun: string): RegExp {
  const target = "(?:\\s+(?:(?:to|on|in|of|into|for)\\s+(?:the\\s+)?[\\w.@/-]+))?";
  const adjective = "(?:complete|completed|done|successful|finished|succeeded)";
  const verb = `succeeded|completed|finished|went through|(?:is|was|has been) (?:now )?${adjective}`;
  return new RegExp(
    `\\b(?:${noun})${target}(?:\\s+(?:has\\s+)?(?:successfully\\s+)?(?:${verb})|\\s*[:—–-]\\s*${adjective})\\b`,
    "gi",
  );
}

function matches(text: string, pattern: RegExp): readonly { start: number; end: number }[] {
  return [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

/** A comma or an "and" that only adds another environment goes on. */
const clauseEnd = new RegExp(
  `;|\\s[—–-]{1,2}\\s|\\b(?:but|so|which|while|before)\\b|(?:,|\\band\\b)(?!\\s*(?:and\\s+)?(?:then\\s+)?(?:to\\s+)?(?:${environmentWords})\\b)`,
  "i",
);

function clauseAround(sentence: Sentence, hit: Hit): string {
  const { text } = sentence;
  const start = hit.start - clauseBefore(text, hit.start).length;
  const rest = text.slice(hit.end);
  const stop = clauseEnd.exec(rest)?.index ?? rest.length;
  return spell(sentence, start, hit.end + stop).trim();
}
