// No disguise makes a command easier: generated commands in wrappers, quotes, chains and nested shells.
import { afterAll, beforeAll, expect, it } from "vitest";
import { composeVerdicts } from "../../../../extension/core/guardrails/composeVerdicts";
import { ask, deny, type Verdict } from "../../../../extension/core/guardrails/verdict";
import { createCommandTable, readCommandTable, type CommandTable } from "../../../support/commandTable";
import { seededRandom } from "../../../support/seededRandom";

let table: CommandTable;
beforeAll(async () => {
  table = await createCommandTable();
});
afterAll(() => table.place.dispose());

const ranks = { normal: 1, guarded: 2, prod: 3 };

function rank(verdict: Verdict): number {
  if (verdict.decision === "allow") return 0;
  return verdict.decision === "deny" ? 4 : ranks[verdict.level];
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Around a whole text. */
const aroundText: readonly ((text: string) => string)[] = [
  (text) => `(${text}\n)`,
  (text) => `{ ${text}\n}`,
  (text) => `true && { ${text}\n}`,
  (text) => `false || { ${text}\n}`,
  (text) => `ls; ${text}`,
  (text) => `if true; then ${text}\nfi`,
  (text) => `while true; do ${text}\nbreak; done`,
  (text) => `for i in 1 2; do ${text}\ndone`,
  (text) => `f() { ${text}\n}; f`,
  (text) => `echo "$(${text}\n)"`,
  (text) => `cat <(${text}\n)`,
  (text) => `bash -c ${quote(text)}`,
  (text) => `sh -e -c ${quote(text)}`,
  (text) => `eval ${quote(text)}`,
  (text) => `bash <<'END_OF_TEXT'\n${text}\nEND_OF_TEXT`,
  (text) => `bash <<< ${quote(text)}`,
  (text) => `env -i A=1 bash -c ${quote(text)}`,
  (text) => `timeout 5 nice -n 3 sh -c ${quote(text)}`,
  (text) => `nohup setsid bash -c ${quote(text)} &`,
  (text) => `xargs -I{} bash -c ${quote(text)} < /dev/null`,
  (text) => `watch -n 1 ${quote(text)}`,
  (text) => `case x in x) ${text}\n;; esac`,
  (text) => `x=$(${text}\n)`,
  (text) => `[[ -n $(${text}\n) ]]`,
];

/** Before one simple command. */
const beforeCommand = [
  "env",
  "env A=1",
  "nice",
  "nice -n 5",
  "nohup",
  "timeout 9",
  "stdbuf -oL",
  "command",
  "time",
  "setsid",
  "exec",
  "ionice -c 3",
];

/** Ways to write a word of plain letters. */
const spellings: readonly ((word: string) => string)[] = [
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
  (word) => `\\${word}`,
  (word) => `${word.slice(0, 1)}"${word.slice(1)}"`,
  (word) => `$'${[...word].map((letter) => `\\x${letter.charCodeAt(0).toString(16)}`).join("")}'`,
];

const chance = seededRandom(20_261_201);
const random = (): number => chance.below(1_000) / 1_000;
const pick = <Item>(items: readonly Item[]): Item => chance.pick(items);

const isSimple = (text: string): boolean => /^[a-z][\w-]*(?: [\w./:@=*~+-]+)*$/.test(text);
const builtin = /^(?:alias|export|set|trap|source|eval|cd|pushd|history|declare|kill|type|exec|del|rd|format)\b/;

const rows = [...readCommandTable("commands.tsv"), ...readCommandTable("ownCommands.tsv")].filter(
  ({ command, verdict }) => verdict !== "allow" && !/unterminated|;;|&&$|\)$|\|\|$/.test(command),
);

async function neverSofter(plain: string, disguised: string): Promise<void> {
  const [before, after] = [await table.judge(plain), await table.judge(disguised)];
  expect(rank(after), `${disguised} is ${after.decision}, ${plain} is ${before.decision}`).toBeGreaterThanOrEqual(
    rank(before),
  );
}

it("text in shells, branches and substitutions", { timeout: 120_000 }, async () => {
  const texts = rows.filter(
    ({ command }) =>
      !/<<|[\\]/.test(command) &&
      !/^(?:Remove-Item|Set-|Get-|iwr|iex|del|rd|copy|type|Out-|Invoke-|Start-|format|powershell|cmd)/.test(command),
  );
  for (let count = 0; count < 400; count++) {
    const { command } = pick(texts);
    const layers = Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(aroundText));
    await neverSofter(
      command,
      layers.reduce((text, wrap) => wrap(text), command),
    );
  }
});

it("wrappers and spellings of one command", { timeout: 120_000 }, async () => {
  const texts = rows.filter(({ command }) => isSimple(command) && !builtin.test(command));
  expect(texts.length).toBeGreaterThan(100);
  for (let count = 0; count < 400; count++) {
    const { command } = pick(texts);
    const wrappers = Array.from({ length: Math.floor(random() * 3) }, () => pick(beforeCommand));
    const words = command
      .split(" ")
      .map((word) => (/^[\w-]+$/.test(word) && random() < 0.5 ? pick(spellings)(word) : word));
    await neverSofter(command, [...wrappers, ...words].join(" "));
  }
});

it("nothing that is added later softens a denial or lifts guarded or prod", () => {
  const all: Verdict[] = [
    deny("d", "x"),
    ask("p", "x", "prod"),
    ask("g", "x", "guarded"),
    ask("n", "x", "normal"),
    { decision: "allow", rule: "a" },
    { decision: "allow", rule: "b", byDefault: true },
  ];
  for (let count = 0; count < 2_000; count++) {
    const verdicts = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(all));
    const before = composeVerdicts(verdicts, "ask");
    const after = composeVerdicts([...verdicts, pick(all)], pick(["allow", "ask", "prod"] as const));
    if (rank(before) > 1) expect(rank(after)).toBeGreaterThanOrEqual(rank(before));
  }
});

it("any text gets an answer", { timeout: 120_000 }, async () => {
  const alphabet = [
    ..."abrm -/\\'\"`$(){}[]<>|&;*?~=!#\n\t.:@,0%^",
    "$((",
    "<<EOF\n",
    "EOF\n",
    "${",
    "rm ",
    "sh -c '",
    "cd ",
    "git ",
    "xargs ",
    "find . -exec ",
  ];
  for (let count = 0; count < 1_500; count++) {
    const text = Array.from({ length: 1 + Math.floor(random() * 30) }, () => pick(alphabet)).join("");
    const verdict = await table.judge(text);
    expect(["allow", "ask", "deny"]).toContain(verdict.decision);
    expect("reason" in verdict ? verdict.reason : "", text).not.toContain("failed on this call");
  }
});
