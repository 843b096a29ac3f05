// Actions outside the workspace that a text can claim. One row each; a new action is a new row.

export interface OutsideAction {
  name: string;
  done: RegExp;
  doing: RegExp;
  /** The bare verb, in an item that is ticked off: "✅ Deploy to prod". */
  base: RegExp;
  /** "The deployment succeeded". */
  noun: string;
  /** What makes the everyday verb this action: one pushes to an array, too. Read with its clause. */
  object: RegExp;
  /** Tool names (as words) and commands whose very name is this action. */
  named: RegExp;
  /** The same, wider: calls that do it on the way. */
  does: RegExp;
}

const version = "v?\\d+\\.\\d+[\\w.-]*";
const remote = "origin|upstream|remotes?|github|gitlab|bitbucket|main|master|develop|trunk";
/** "pushed the fix", "the branch was pushed": the noun is what the verb is about. */
function about(verb: string, nouns: string): string {
  return `\\b${verb} (?:(?:the|all|my|this|these|both|a|new|missing|required|latest|two|\\d+|npm|python|dev|feature) )*(?:${nouns})\\b|\\b(?:${nouns}) (?:\\w+ ){0,2}?(?:is|are|was|were|has|have)\\b`;
}

const registry = "npm|npmjs|pypi|crates\\.io|rubygems|docker hub|registry|marketplace|open vsx";
export const environmentWords = "production|prod|staging|stage|development|dev|preview|canary|sandbox|qa|uat";

export const outsideActions: readonly OutsideAction[] = [
  {
    name: "deploy",
    done: /\b(?:re)?deployed\b|\b(?:rolled out|shipped)(?= (?:(?:it|this|the \w+|v?\d[\w.]*) )?to\b)|(?<=\b(?:is|are|went|now) |'s )(?:live|up and running)(?= (?:in|on) )/gi,
    doing: /\b(?:re)?deploying\b|\brolling out\b/gi,
    base: /^\W*(?:re)?deploy\b/i,
    noun: "deployment|deploy|rollout",
    object: new RegExp(
      `\\b(?:${environmentWords}|service|site|website|app|application|api|version|release|build|changes|fix|code|stack|everything|it|server|cluster|${version})\\b|\\bdeployed\\s*(?:successfully)?[.!]?\\s*$`,
      "i",
    ),
    named: /\bdeploy|\brollout\b|\bship\b|\bkubectl (?:apply|set)\b|\bhelm upgrade\b|\bterraform apply\b/i,
    does: /deploy|rollout|\bship|\brelease|kubectl|helm|terraform|ansible|vercel|netlify|heroku|\bpush\b|\bapply\b/i,
  },
  {
    name: "publish",
    done: /\bpublished\b/gi,
    doing: /\bpublishing\b/gi,
    base: /^\W*publish\b/i,
    noun: "publication|publish",
    object: new RegExp(`\\b(?:${registry}|packages?|crate|gem|extension|release|${version})\\b|@\\w+/\\w+`, "i"),
    named: /\bpublish|\btwine upload\b/i,
    does: /publish|twine|upload|\brelease|\bpush\b/i,
  },
  {
    name: "push",
    done: /\bpushed\b/gi,
    doing: /\bpushing\b/gi,
    base: /^\W*push\b/i,
    noun: "push",
    object: new RegExp(
      `^(?!.*\\b(?:queue|stack|array|list|buffer|heap|socket|websocket|client)\\b).*(?:${about("pushed", "branch|commits?|tags?|changes|fix|code|work|everything|it all")}|\\bto (?:the )?(?:${remote}|repo(?:sitory)?)\\b|\\bpushed\\s*[.!]?\\s*$)`,
      "i",
    ),
    named: /\bpush\b|\bgit finish\b/i,
    does: /\bpush|\bgit finish\b|\brelease|\bpublish/i,
  },
  {
    name: "merge",
    done: /\bmerged\b/gi,
    doing: /\bmerging\b/gi,
    base: /^\W*merge\b/i,
    noun: "merge",
    object: new RegExp(
      `\\b(?:pull request|PR|MR|merge request)\\b|\\b(?:in)?to (?:the )?(?:${remote})\\b|#\\d+|${about("merged", "branch")}|\\bmerged \\S+ branch\\b`,
      "i",
    ),
    named: /\bmerge\b|\bgit finish\b/i,
    does: /\bmerge|\bgit (?:finish|pull|rebase)\b/i,
  },
  {
    name: "release",
    done: /\breleased\b/gi,
    doing: /\breleasing\b/gi,
    base: /^\W*release\b/i,
    noun: "release",
    object: new RegExp(`\\b(?:${version}|version|${registry}|github|production|prod)\\b`, "i"),
    named: /\brelease\b/i,
    does: /release|publish|deploy|\btag\b/i,
  },
  {
    name: "commit",
    done: /\bcommitted\b/gi,
    doing: /\bcommitting\b/gi,
    base: /^\W*commit\b/i,
    noun: "commit",
    object: new RegExp(
      `^(?!.*\\b(?:transactions?|connection|database|rows?)\\b).*(?:${about("committed", "changes|fix|work|files?|everything|all|it|them|code")}|\\bto (?:git|the repo(?:sitory)?|the branch|${remote})\\b|\\bas [0-9a-f]{6,}|\\bcommitted\\s*(?:locally)?[.!]?\\s*$|\\bwith (?:the )?message\\b)`,
      "i",
    ),
    named: /\bcommit\b/i,
    does: /\bcommit|\bgit (?:finish|merge|cherry-pick|revert|am|rebase|pull)\b|\brelease|\bnpm version\b/i,
  },
  {
    name: "install",
    done: /\binstalled\b/gi,
    doing: /\binstalling\b/gi,
    base: /^\W*install\b/i,
    noun: "installation|install",
    object: new RegExp(
      `${about("installed", "dependenc(?:y|ies)|packages?|modules")}|\\b(?:with|via|using|from) (?:npm|pip|pnpm|yarn|cargo|brew|apt|uv|poetry|bundler)\\b`,
      "i",
    ),
    named: /\binstall\b|\bnpm (?:i|ci)\b|\b(?:pnpm|yarn|uv|poetry) add\b/i,
    does: /install|\badd\b|\bci\b|\bsync\b|\bnpm i\b|\byarn\b|\bbundle\b|\brestore\b|\bget\b|\bupdate\b|\bupgrade\b|\btidy\b|\bfetch\b/i,
  },
];

/** Tools of our own that reach nothing outside the workspace; the forge and git tools do only what their names say. */
export const insideTools = new Set(
  (
    "read_file list_files search diagnostics run_tests todowrite complete ask_human propose_check edit_file write_file " +
    "delete_file move_file git_commit git_delete_branch git_finish merge_pull_request close_pull_request close_issue publish_release"
  ).split(" "),
);

/** Single commands that only look or judge. Any other command may have done anything. */
export const harmlessCommand =
  /^\s*(?:ls|cat|pwd|echo|grep|rg|find|head|tail|wc|which|pytest|vitest|jest|mocha|tsc|eslint|prettier|ruff|mypy|(?:python3? -m )?pytest|(?:npm|pnpm|yarn)(?: run)? (?:test|lint|typecheck|build)|npx (?:vitest|jest|tsc|eslint)|git (?:status|diff|log|show)|cargo (?:test|check|clippy)|go (?:test|vet))\b[^;&|`$<>\n]*$/;
