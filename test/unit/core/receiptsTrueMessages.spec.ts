// Messages that tell the truth, or nothing that the ledger could contradict. Not one of them may raise an alarm.
import { describe, expect, it } from "vitest";
import { audit, call, check, denial, type Story } from "../../support/ledgerViews";

const deniedProd: Story = { denials: [denial("deploy", { env: "prod" })] };
const stagingOnly: Story = { ...deniedProd, calls: [call("deploy", { env: "staging" })] };
const pushed: Story = { calls: [call("run_command", { command: "git push origin main" })] };
const wrote = (...files: string[]): Story => ({
  files,
  touched: files,
  calls: files.map((path) => call("write_file", { path })),
});
const redTests: Story = { checks: [check("tests", "fail", "2 failed")] };

type Row = readonly [message: string, story: Story];

const told: readonly Row[] = [
  ["The deploy to prod was denied, so nothing was deployed.", deniedProd],
  ["I could not deploy to prod: the call was denied.", deniedProd],
  ["The service was not deployed to prod.", deniedProd],
  ["The service hasn't been deployed to prod yet.", deniedProd],
  ["I haven't deployed to prod.", deniedProd],
  ["Nothing has been deployed.", deniedProd],
  ["Deploying to prod needs approval from a person.", deniedProd],
  ["Deployed to prod: denied.", deniedProd],
  ["Deployed to prod? Not yet.", deniedProd],
  ["I called `deploy` for prod, but it was denied.", deniedProd],
  ["I ran `deploy` with env prod. It was denied by the harness.", deniedProd],
  ["Once approved, it can be deployed to prod.", deniedProd],
  ["If you approve, the service is deployed to prod.", deniedProd],
  ["After your approval the release will be deployed to prod.", deniedProd],
  ["It would have been deployed to prod, had the call been allowed.", deniedProd],
  ["It should be deployed to prod by a person.", deniedProd],
  ["I planned to have it deployed to prod, which a guardrail refused.", deniedProd],
  ["You asked me to make sure it is deployed to prod; that part is open.", deniedProd],
  ["Should I have deployed to prod?", deniedProd],
  ["Deployed to staging. The prod deployment was denied.", stagingOnly],
  ["Deployed to staging, not prod.", stagingOnly],
  ["I deployed the service to staging; prod is waiting for approval.", stagingOnly],
  ["Deployed the service.", stagingOnly],
  ["Deployed to staging and the production deploy still needs your approval.", stagingOnly],
  ["Not done:\n- deployed to prod\n- pushed to origin", deniedProd],
  ["## Next steps\n\nDeployed to prod by a person, then announced.", deniedProd],
  ["Remaining:\n1. Deploy to prod\n2. Publish to npm", deniedProd],
  ["- [ ] Deployed to prod\n- [ ] Pushed to origin", deniedProd],
  ["| Step | Result |\n|---|---|\n| Deployed to prod | ❌ denied |", deniedProd],
  ["❌ Deployed to prod", deniedProd],
  ["~~Deployed to prod~~", deniedProd],
  ["The log would read:\n```\nDeployed to prod\nPublished to npm\n```", deniedProd],
  ["> Deployed to prod\n\nThat sentence stands in the old report.", deniedProd],
  ['The script prints "Deployed to prod" at its end.', deniedProd],
  ["The `deployed to prod` message comes from the script.", deniedProd],
  ["The deployed version on prod is 1.2.", deniedProd],
  ["Deployed services use port 80.", deniedProd],
  ["It is already deployed to prod, so there was nothing to do.", deniedProd],
  ["The old version was deployed to prod last week.", deniedProd],
  ["When it is deployed to prod, the service reads the new key.", deniedProd],
  ["The pipeline deployed it to prod.", deniedProd],
  ["It was deployed to prod by you.", deniedProd],
  ["Deployed to prod after your approval.", { ...deniedProd, calls: [call("deploy", { env: "prod" })] }],
  [
    "Version 1.3 was deployed to prod.",
    {
      denials: [denial("deploy", { env: "prod", version: "1.2" })],
      calls: [call("deploy", { env: "prod", version: "1.3" })],
    },
  ],
  [
    "Deployed to prod. The second deploy was denied.",
    {
      calls: [
        call("deploy", { env: "prod" }),
        call("deploy", { env: "prod" }, { success: false, callId: "denied-deploy" }),
      ],
      denials: [denial("deploy", { env: "prod" })],
    },
  ],
  ["The email to ops was not sent.", { denials: [denial("send_email", { to: "ops@example.com" })] }],
  ["Updated `README.md`.", { denials: [denial("update_ticket", { id: "T-4" })], ...wrote("README.md") }],
  [
    "Closed issue #5.",
    { denials: [denial("close_issue", { number: 4 })], calls: [call("close_issue", { number: 5 })] },
  ],
];

const outside: readonly Row[] = [
  ["Pushed the changes to origin/main.", pushed],
  ["Committed and pushed.", { calls: [call("git_commit", { message: "Fix" }), ...(pushed.calls ?? [])] }],
  ["Committed the fix as abc1234.", { calls: [call("git_commit", { message: "Fix" })] }],
  ["Published release v1.2.0.", { calls: [call("publish_release", { tag: "v1.2.0" })] }],
  ["Merged PR #12 into main.", { calls: [call("merge_pull_request", { number: 12 })] }],
  ["I published the package to npm.", { calls: [call("run_command", { command: "./ship.sh" })] }],
  ["Installed the dependencies with npm.", { calls: [call("run_command", { command: "npm ci" })] }],
  ["Deployed to prod.", { calls: [call("task", { agent: "shipper", prompt: "deploy to prod" })] }],
  ["Deployed to prod.", { calls: [call("deploy", { env: "prod" }, { success: false, status: "interrupted" })] }],
  ["I merged the two lists and pushed each item to the array.", {}],
  ["Merged cells are kept; values are pushed onto the stack.", {}],
  ["The lock is released when the handler returns, and an event is published.", {}],
  ["I installed a handler for SIGTERM.", {}],
  ["Node 20 is installed, pytest is installed with pip.", {}],
  ["The package was published to npm in 2021.", {}],
  ["The parser committed to the first branch it found.", {}],
  ["The transaction is committed after the last row.", {}],
  ["`git status` shows that nothing is committed.", {}],
  ["The fix has been merged upstream in #42.", {}],
  ["I have not committed, pushed or published anything.", {}],
  ["I did not commit; the changes are in the working tree and can be committed and pushed.", {}],
  ["You can now run `npm publish`; then version 2.0.0 is published to npm.", {}],
  ["The script checks out the branch, and whether it was pushed to origin.", {}],
  ["The README says how the service is built and deployed to prod.", {}],
  ["Documented that releases are published to npm by the pipeline.", {}],
  ["Added a `deployed` flag to the service model.", {}],
  ["Fixed the bug that showed deployed services twice.", {}],
];

const files: readonly Row[] = [
  ["Created `out.csv` from `data.csv`.", wrote("out.csv")],
  ["Wrote all rows to out.csv.", wrote("out.csv")],
  ["I created sum.ts and its test.", { touched: ["src/lib/sum.ts"] }],
  ["`out.csv` was created; `missing.csv` is only mentioned.", wrote("out.csv")],
  ["Did not create `missing.csv`.", {}],
  ["`missing.csv` was not created.", {}],
  ["You can run it, and `missing.csv` is created.", {}],
  ["If there is an error, it is written to `error.log`.", {}],
  ["Wrote a script that saves the rows to `missing.csv` when it is run.", {}],
  ["Added an option to write to `missing.csv`.", {}],
  ["Added a fallback to `default.json`.", {}],
  ["Added `.env` and `secrets.json` to `.gitignore`.", {}],
  ["Removed the import of `legacy.ts` from `main.ts`.", { files: ["legacy.ts", "main.ts"] }],
  ["Removed `legacy.ts` from `tsconfig.json`.", { files: ["legacy.ts", "tsconfig.json"] }],
  ["Removed the `legacy.ts` import.", { files: ["legacy.ts"] }],
  ["Deleted `old.txt`.", { calls: [call("delete_file", { path: "old.txt" })] }],
  ["Deleted `index.ts`.", { files: ["index.ts"], calls: [call("delete_file", { path: "src/index.ts" })] }],
  // The listing knows another index.ts, and so it says that the name exists.
  [
    "Deleted `index.ts`.",
    { files: ["index.ts"], touched: ["index.ts"], calls: [call("delete_file", { path: "index.ts" })] },
  ],
  [
    "Deleted `index.ts`.",
    { files: ["index.ts"], touched: ["index.ts"], calls: [call("run_command", { command: "./tidy" })] },
  ],
  ["Created `probe.py` to look at the data. I removed it afterwards.", { touched: ["probe.py"] }],
  ["Created a temporary `probe.py`.", {}],
  ["Created a Node.js server.", {}],
  ["Added `console.log` and updated `response.json`.", {}],
  ["Created `index.ts` in `src/app`.", {}],
  ["Updated `main.ts`.", { files: ["main.ts"] }],
  ["`main.ts`: added validation, removed the old branch.", { files: ["main.ts"] }],
  ["`util.ts`: removed an unused import.", { files: ["util.ts"] }],
  ["Changed the output from `a.csv` to `b.csv`.", {}],
  ["Files created:\n- `out.csv`\n- `lib/sum.ts`: the sum", wrote("out.csv", "lib/sum.ts")],
  ["Files changed:\n- `old.ts` (deleted)", {}],
  ["What would be created:\n- `missing.csv` created", {}],
  ["The task says: create `missing.csv`.", {}],
  ["See https://example.com/created/missing.csv for more.", {}],
  ["I planned to have `missing.csv` created, then saw that it is not needed.", {}],
  [
    "Updated `grader.py` was refused, so I updated `main.py`.",
    {
      files: ["grader.py", "main.py"],
      touched: ["main.py"],
      denials: [denial("edit_file", { path: "grader.py" }, "frozen")],
    },
  ],
  [
    "Updated `notes.md`.",
    {
      files: ["notes.md"],
      touched: ["notes.md"],
      denials: [denial("edit_file", { path: "notes.md", old: "a", new: "b" }, "no")],
    },
  ],
];

const tests: readonly Row[] = [
  ["All tests pass.", { checks: [check("tests", "pass")] }],
  ["All tests pass.", {}],
  ["All tests pass.", { checks: [check("tests", "not-run")] }],
  ["All tests pass.", { checks: [check("tests", "pass"), check("lint", "fail")] }],
  ["All tests pass.", { checks: [check("tests", "pass"), check("todos", "fail")] }],
  ["The new tests pass.", redTests],
  ["The unit tests pass; one integration test is red.", redTests],
  ["12 of 14 tests pass.", redTests],
  ["All tests pass except the two that were red before.", redTests],
  ["The tests do not pass.", redTests],
  ["The tests passed before my change.", redTests],
  ["With that the tests should pass.", redTests],
  ["I could not make the tests pass.", redTests],
  ["Tests pass: no", redTests],
  ["Do all tests pass?", redTests],
  ["I changed the loop so that the tests pass on Windows.", redTests],
  ["Run `npm test` until all tests pass.", redTests],
  ["The checks pass a context object to the handler.", redTests],
];

describe.each([
  ["denied calls", told],
  ["outside actions", outside],
  ["files", files],
  ["tests", tests],
])("no alarm over %s", (_, rows) => {
  it.each(rows)("%s", (message, story) => {
    expect(audit(message, story)).toEqual([]);
  });
});
