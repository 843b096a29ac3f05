// Clouds, clusters, deployers, databases and forges, as tables. A row matches the words after the program, its options and
// their values left out; the first row that matches a table decides, and what no row knows asks.
import type { Bench, Call, ProgramRule } from "../bench";
import { namesSafeEnvironment } from "../environments";
import { parseOptions, type OptionSpec } from "../options";
import { isKnown, type Word } from "../word";

type Row = readonly [words: RegExp, effect: Effect, why: string, option?: RegExp];

/** `change`: production, unless another environment is named. `prod`: always. */
type Effect = "allow" | "ask" | "change" | "prod" | "secret";

interface Table extends OptionSpec {
  rows: readonly Row[];
}

const printsCredential = "prints a live credential";

function outward({ rows, ...spec }: Table): ProgramRule {
  return (call, bench) => {
    // Not every option is known, so its value may stand among the words: both readings count.
    const strict = wordsOf(call.args, spec);
    const loose = looseWords(call.args, spec);
    const texts = call.args.map((word) => word.text).join(" ");
    const matching = rows.filter(
      ([words, , , option]) =>
        (words.test(strict) || words.test(loose)) && (option === undefined || option.test(` ${texts} `)),
    );
    const worst = matching.filter(([, effect]) => effect !== "allow");
    const allowed = worst.length === 0 && matching.length > 0 && call.args.every((word) => isKnown(word) || word.glob);
    for (const [, effect, why] of worst) apply(effect, why, call, bench);
    if (worst.length === 0 && !allowed) bench.ask("outward", `${call.program} works with another machine or a service`);
    for (const word of call.args) if (/^\.{0,2}\//.test(word.text)) bench.touch(word, "list");
    if (call.args.some((word) => word.carried.secret)) bench.ask("credentials", "passes a secret on");
    return allowed ? null : { network: true, decoded: false, secret: false, text: null };
  };
}

function apply(effect: Effect, why: string, call: Call, bench: Bench): void {
  if (effect === "secret") return bench.deny("prints-credential", why);
  const elsewhere =
    effect === "change" &&
    namesSafeEnvironment([...call.args, ...call.env.map(({ value }) => value)].map((word) => word.text));
  bench.ask("outward", why, effect === "prod" || (effect === "change" && !elsewhere) ? "prod" : "normal");
}

function wordsOf(args: readonly Word[], spec: OptionSpec): string {
  return parseOptions(args, spec)
    .operands.map((word) => word.text)
    .join(" ");
}

function looseWords(args: readonly Word[], spec: OptionSpec): string {
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const text = args[at]?.text ?? "";
    if (!text.startsWith("-")) words.push(text);
    else if (!text.includes("=") && !(spec.long ?? []).includes(text) && words.length === 0) at++;
  }
  return words.join(" ");
}

const rehearsal =
  /\s(?:--dry-run(?:=(?!none)\S*)?|--dryrun|-n|--noop|--check|--preview|--what-if|--no-execute-changeset)\s/;
const help: Row = [/^(?:help|version|completion)(?: |$)|^$/, "allow", "help"];

const kubectl = outward({
  short: "nfoclLs",
  long: [
    "--namespace",
    "--context",
    "--cluster",
    "--kubeconfig",
    "--user",
    "--server",
    "--token",
    "--as",
    "--filename",
    "--output",
    "--selector",
    "--container",
  ],
  rows: [
    [/^(?:help|completion|explain|kustomize|api-resources)(?: |$)|^$/, "allow", "help"],
    [/^version$/, "allow", "version", /\s--client/],
    [
      /^get (?:\S*,)?secrets?(?:[/. ,]|$)/,
      "secret",
      printsCredential,
      /\s(?:-o|--output|--template|-oyaml|-ojson|-o\S+)(?=[ =])/,
    ],
    [/^get (?:all|secrets?)/, "ask", "may list secrets"],
    [/^create token/, "secret", printsCredential],
    [/^config view/, "secret", printsCredential, /\s--raw/],
    [/^config (?:use-context|set|unset|delete)/, "ask", "changes which cluster later calls reach"],
    [
      /^(?:delete|drain|cordon|apply|replace|patch|scale|rollout|edit|exec|cp|run|annotate|label|set|taint|create|expose|autoscale|debug|attach|port-forward|proxy)/,
      "ask",
      "changes or enters a cluster",
    ],
  ],
});

const terraform = outward({
  singleDash: true,
  long: ["-var", "-var-file", "-target", "-state", "-out", "-backend-config"],
  rows: [
    [/^(?:validate|version|providers|graph|metadata)(?: |$)|^$/, "allow", "local check"],
    [/^fmt/, "allow", "local format check", /\s-(?:check|diff|write=false)\s/],
    [/^fmt/, "ask", "rewrites files", /^(?!.*\s-(?:check|write=false)\s)/],
    [/^(?:apply|destroy|import|taint|untaint|refresh|force-unlock|push)/, "prod", "changes infrastructure"],
    [/^state (?:rm|mv|push|replace-provider)/, "prod", "changes the recorded state of infrastructure"],
    [/^state pull|^output|^show|^console/, "ask", "may print secrets"],
    [/^run-all (?:apply|destroy)/, "prod", "changes infrastructure"],
  ],
});

const publish = (words: RegExp, why = "a public release"): Row => [
  words,
  "prod",
  why,
  new RegExp(`^(?!.*${rehearsal.source})`),
];

const aws = outward({
  long: [
    "--profile",
    "--region",
    "--endpoint-url",
    "--output",
    "--query",
    "--color",
    "--ca-bundle",
    "--cli-read-timeout",
    "--instance-ids",
    "--stack-name",
    "--function-name",
    "--bucket",
    "--name",
    "--user-name",
    "--secret-id",
  ],
  rows: [
    help,
    [
      /^configure (?:export-credentials|get (?:\S*\.)?(?:aws_secret_access_key|aws_session_token|aws_access_key_id))/,
      "secret",
      printsCredential,
    ],
    [
      /^sts (?:get-session-token|assume-role\S*|get-federation-token)|^ecr(?:-public)? get-(?:login|authorization)|^eks get-token|^codeartifact get-authorization-token|^iam create-access-key|^sso get-role-credentials|^rds generate-db-auth-token|^cognito-identity get-credentials/,
      "secret",
      printsCredential,
    ],
    [/^secretsmanager (?:get-secret-value|batch-get-secret-value)/, "secret", printsCredential],
    [/^ssm get-parameters?\S*/, "secret", printsCredential, /\s--with-decryption\s/],
    [/^kms decrypt/, "secret", printsCredential],
    [/^s3 (?:rm|rb)|^s3 sync.*/, "prod", "deletes remote data", /^(?!.*\s--dryrun\s).*(?:\srm\s|\srb\s|\s--delete\s)/],
    [/^s3 mv/, "prod", "moves remote data away"],
    [
      /^\S+ (?:delete|terminate|remove|deregister|disable|purge|destroy|stop|reboot|cancel|revoke|detach|release|deactivate|reset|restore|modify)-/,
      "prod",
      "a change that can hardly be taken back",
      /^(?!.*\s--dry-run\s)/,
    ],
    [/^s3api (?:delete|put-bucket-policy|put-public)/, "prod", "changes who may read or what is kept"],
    [
      /^(?:cloudformation|deploy|ecs|lambda|elasticbeanstalk|apprunner|amplify) (?:deploy|create-deployment|update-\S+|create-\S+|execute-change-set|push)/,
      "change",
      "deploys",
    ],
    [/^iam (?:attach|put|create|update|add)-/, "prod", "changes who may do what"],
  ],
});

const gcloud = outward({
  long: [
    "--project",
    "--account",
    "--configuration",
    "--region",
    "--zone",
    "--format",
    "--impersonate-service-account",
  ],
  rows: [
    help,
    [
      /(?:^| )print-(?:access|identity)-token|^auth application-default print|^secrets versions access|^iam service-accounts keys create|^auth print|^config config-helper/,
      "secret",
      printsCredential,
    ],
    [
      /(?:^| )(?:delete|destroy|remove-iam-policy-binding|add-iam-policy-binding|set-iam-policy|reset|stop|failover|purge|undelete|disable)(?: |$)/,
      "prod",
      "a change that can hardly be taken back",
    ],
    [
      /^(?:app|run|functions|beta run|alpha run|deploy|builds|endpoints|run services|run jobs)(?: \S+)? (?:deploy|submit|replace|promote|create|update-traffic|services update)|^run deploy|^app deploy/,
      "change",
      "deploys",
    ],
    [/^storage rm|^sql (?:import|instances)/, "prod", "changes remote data"],
  ],
});

const az = outward({
  short: "gno",
  long: ["--resource-group", "--name", "--subscription", "--output", "--query"],
  rows: [
    help,
    [
      /^account get-access-token|^keyvault secret (?:show|download)|^ad sp create-for-rbac|^(?:storage account|cosmosdb|redis|servicebus namespace authorization-rule|acr credential)(?: keys)? (?:list|show)\S*|(?:^| )keys list|show-connection-string|^acr login/,
      "secret",
      printsCredential,
      /^(?!.*acr login(?!.*--expose-token))/,
    ],
    [
      /(?:^| )(?:delete|purge|remove|stop|restart|failover|swap|deallocate|reset)(?: |$)/,
      "prod",
      "a change that can hardly be taken back",
    ],
    [
      /(?:^| )(?:deploy|up|deployment create|config-zip|create|update|import|set)(?: |$)|^deployment .* create/,
      "change",
      "deploys or changes a service",
    ],
  ],
});

const gh = outward({
  short: "RXfFHqtbBlaes",
  long: [
    "--repo",
    "--method",
    "--field",
    "--raw-field",
    "--header",
    "--jq",
    "--template",
    "--body",
    "--title",
    "--ref",
    "--json",
    "--limit",
    "--state",
  ],
  rows: [
    help,
    [/^auth token|^auth git-credential/, "secret", printsCredential],
    [/^auth status/, "secret", printsCredential, /\s(?:-t|--show-token)\s/],
    [/^pr merge|^merge-queue/, "prod", "lands on a shared branch"],
    [/^release (?:create|delete|edit|upload|delete-asset)/, "prod", "changes a public release"],
    [
      /^repo (?:delete|archive|rename|edit|sync|deploy-key)|^ruleset|^secret (?:set|delete|remove)|^variable (?:set|delete)|^cache delete|^ssh-key|^gpg-key|^org|^environment/,
      "prod",
      "changes the repository for everybody",
    ],
    [
      /^api(?: |$)/,
      "prod",
      "changes or deletes on the server",
      /\s(?:(?:-X|--method)[ =]?(?:DELETE|PUT|PATCH)|-XDELETE)\b/i,
    ],
    [
      /^api(?: |$)/,
      "prod",
      "changes the shared branch",
      /(?:merges?|protection|releases|git\/refs|dispatches|deployments|mutation)\b.*\s(?:-X|--method|-f|-F|--field|--raw-field|--input)|\s(?:-f|-F|--field|--raw-field|--input|-X|--method)[ =]?.*(?:merges?|protection|releases|git\/refs|dispatches|deployments|mutation)\b/i,
    ],
    [/^workflow run|^run (?:rerun|watch)/, "prod", "starts a deployment", /deploy|release|publish|prod/i],
    [/^(?:extension|alias) (?:install|set|exec|import)/, "ask", "adds programs to gh"],
  ],
});

const glab = outward({
  short: "RXfFbt",
  rows: [
    help,
    [/^auth (?:token|status)/, "secret", printsCredential, /token|-t\s/],
    [/^mr (?:merge|accept)/, "prod", "lands on a shared branch"],
    [
      /^release (?:create|delete|upload)|^repo (?:delete|archive|transfer)|^variable (?:set|update|delete)/,
      "prod",
      "changes the repository for everybody",
    ],
    [/^api/, "prod", "changes or deletes on the server", /\s(?:-X|--method)[ =]?(?:DELETE|PUT|PATCH)/i],
    [/^(?:ci|pipeline) (?:run|trigger)/, "prod", "starts a deployment", /deploy|release|publish|prod|main|master/i],
  ],
});

const simple = (rows: readonly Row[], spec: OptionSpec = {}): ProgramRule =>
  outward({ ...spec, rows: [help, ...rows] });
const database = (spec: OptionSpec = {}): ProgramRule => outward({ ...spec, rows: [] });
const migrates = (words: RegExp): ProgramRule =>
  simple([[words, "change", "changes the schema of the configured database"]]);

export const outwardPrograms: Readonly<Record<string, ProgramRule>> = {
  kubectl,
  oc: kubectl,
  k9s: simple([]),
  kustomize: simple([[/^(?:build|version)/, "allow", "renders locally"]]),
  kubectx: simple([]),
  kubens: simple([]),
  stern: simple([]),
  helm: outward({
    short: "nf",
    long: ["--namespace", "--kube-context", "--kubeconfig", "--set", "--values", "--version", "--post-renderer"],
    rows: [
      [/^(?:version|env|help|completion|create|lint)(?: |$)|^$/, "allow", "local"],
      [/^template (?:\S+ )?\.{0,2}\/\S*/, "allow", "renders locally", /^(?!.*--(?:post-renderer|validate|repo|kube))/],
      [/^push/, "prod", "a public release"],
      [/^get (?:values|manifest|all|secret)/, "ask", "may print secrets"],
    ],
  }),
  helmfile: simple([[/^(?:apply|sync|destroy|delete)/, "change", "changes a cluster"]], { short: "enfl" }),
  terraform,
  tofu: terraform,
  terragrunt: terraform,
  cdktf: simple([[/^(?:deploy|destroy)/, "prod", "changes infrastructure"]]),
  pulumi: simple(
    [
      [/^(?:up|update|destroy|refresh|import|cancel|state|stack (?:rm|import))/, "change", "changes infrastructure"],
      [/^(?:config|stack)/, "secret", printsCredential, /\s--show-secrets\s/],
    ],
    { short: "sC", long: ["--stack", "--cwd"] },
  ),
  cdk: simple([[/^(?:deploy|destroy|bootstrap|import|rollback|gc)/, "prod", "changes infrastructure"]], {
    short: "ac",
    long: ["--app", "--context", "--profile"],
  }),
  sst: simple([[/^(?:deploy|remove)/, "change", "deploys"]], { long: ["--stage"] }),
  sam: simple([[/^(?:deploy|delete|sync)/, "change", "deploys"]]),
  copilot: simple([[/^(?:deploy|\S+ (?:deploy|delete))/, "change", "deploys"]]),
  eb: simple([[/^(?:deploy|terminate|swap|restore|abort)/, "change", "deploys"]]),
  serverless: simple([[/^(?:deploy|remove|rollback)/, "ask", "deploys"]], { short: "sr", long: ["--stage"] }),
  sls: simple([[/^(?:deploy|remove|rollback)/, "ask", "deploys"]], { short: "sr", long: ["--stage"] }),
  aws,
  awslocal: simple([]),
  gcloud,
  gsutil: simple([[/^(?:-m )?(?:rm|rb|mv|iam|acl)/, "prod", "changes remote data"]]),
  bq: simple([[/^rm|^query/, "prod", "deletes remote data", /\brm\b|drop |delete |truncate /i]]),
  az,
  azd: simple([[/^(?:up|deploy|down|provision)/, "change", "deploys"]]),
  doctl: simple([
    [/(?:^| )(?:delete|destroy|create-deployment|rm)(?: |$)/, "prod", "a change that can hardly be taken back"],
    [/^auth/, "ask", "credentials"],
  ]),
  linode: simple([[/(?:^| )delete/, "prod", "a change that can hardly be taken back"]]),
  hcloud: simple([[/(?:^| )(?:delete|rebuild|reset|poweroff)/, "prod", "a change that can hardly be taken back"]]),
  ibmcloud: simple([[/(?:^| )(?:delete|rm)/, "prod", "a change that can hardly be taken back"]]),
  gh,
  hub: gh,
  glab,
  vercel: simple(
    [
      [/^(?:deploy|$)/, "prod", "a production deployment", /\s(?:--prod|--target[ =]production|--production)\s/],
      [
        /^(?:promote|rollback|alias|rm|remove|domains|env (?:rm|add)|dns|certs|rolling-release)/,
        "prod",
        "changes production",
      ],
      [/^env pull/, "ask", "writes secrets to a file"],
      [/^$/, "ask", "deploys a preview"],
    ],
    { short: "tSA", long: ["--token", "--scope", "--cwd", "--target"] },
  ),
  netlify: simple([
    [/^deploy/, "prod", "a production deployment", /\s(?:--prod|-p|--prod-if-unlocked)\s/],
    [/^(?:sites:delete|env:(?:set|unset|import)|api)/, "prod", "changes production"],
    [/^env:(?:get|list)/, "ask", "may print secrets"],
  ]),
  fly: simple(
    [
      [
        /^(?:deploy|apps destroy|destroy|scale|secrets|volumes|machines? (?:destroy|stop|remove)|postgres|launch)/,
        "change",
        "deploys",
      ],
      [/^(?:auth token|tokens create)/, "secret", printsCredential],
    ],
    { short: "a", long: ["--app", "--config"] },
  ),
  heroku: simple(
    [
      [
        /^(?:pg:reset|pg:copy|pg:promote|apps:destroy|destroy|pipelines:promote|releases:rollback|rollback|container:release|addons:destroy|config:(?:set|unset)|ps:(?:scale|stop)|maintenance:on|run)/,
        "change",
        "changes a live app",
      ],
      [/^auth:token|^authorizations:create/, "secret", printsCredential],
      [/^config(?::get)?(?: |$)/, "ask", "may print secrets"],
    ],
    { short: "ar", long: ["--app", "--remote", "--confirm"] },
  ),
  firebase: simple(
    [
      [
        /^(?:deploy|hosting:disable|firestore:delete|database:remove|functions:delete|hosting:clone)/,
        "change",
        "deploys",
      ],
      [/^login:ci/, "secret", printsCredential],
    ],
    { short: "P", long: ["--project", "--only"] },
  ),
  argocd: simple([
    [/^app (?:sync|delete|rollback|set|terminate-op)/, "change", "changes a cluster"],
    [/^account generate-token/, "secret", printsCredential],
  ]),
  flux: simple([[/^(?:reconcile|delete|suspend|resume|bootstrap|uninstall)/, "change", "changes a cluster"]]),
  wrangler: simple(
    [
      [
        /^(?:deploy|publish|delete|rollback|secret|pages deploy|d1 (?:execute|migrations apply)|versions deploy|kv)/,
        "change",
        "deploys",
      ],
    ],
    { short: "ec", long: ["--env", "--config"] },
  ),
  railway: simple(
    [
      [/^(?:up|deploy|down|redeploy|delete|run)/, "change", "deploys"],
      [/^variables/, "ask", "may print secrets"],
    ],
    { short: "es" },
  ),
  render: simple([[/^(?:deploys?|services)/, "change", "deploys"]]),
  surge: simple([[/^/, "prod", "a public deployment"]]),
  "gh-pages": simple([[/^/, "prod", "a public deployment"]]),
  kamal: simple([[/^(?:deploy|redeploy|rollback|remove|setup|app)/, "change", "deploys"]], {
    short: "d",
    long: ["--destination"],
  }),
  dokku: simple([[/^/, "change", "changes a live app"]]),
  supabase: simple([
    [/^(?:db (?:push|reset)|functions deploy|secrets set|projects delete)/, "change", "changes a live project"],
  ]),
  planetscale: simple([[/^/, "change", "changes a live database"]]),
  pscale: simple([
    [/^(?:deploy-request|branch|database) (?:deploy|delete|promote)/, "prod", "changes a live database"],
  ]),
  eas: simple([[/^(?:submit|update|build)/, "change", "publishes an app", /submit|update|production/]]),
  fastlane: simple([[/^/, "prod", "publishes an app", /release|deliver|supply|production|deploy|store/i]]),
  clasp: simple([[/^(?:push|deploy)/, "prod", "deploys"]]),
  skaffold: simple([[/^(?:run|deploy|delete)/, "change", "deploys"]], { short: "pnf" }),
  okteto: simple([[/^(?:deploy|destroy)/, "change", "deploys"]]),
  waypoint: simple([[/^(?:up|deploy|release|destroy)/, "change", "deploys"]]),
  nomad: simple([[/^(?:job (?:run|stop)|run|stop|system)/, "change", "deploys"]]),
  consul: simple([[/^kv (?:put|delete)|^acl/, "change", "changes a live cluster"]]),
  vault: simple([
    [/^(?:read|kv get|token create|print token|unwrap|login|write .*creds)/, "secret", printsCredential],
    [/^(?:delete|kv (?:delete|destroy|put|metadata)|secrets|auth|policy|operator|write)/, "change", "changes secrets"],
  ]),
  packer: simple([[/^(?:validate|fmt|version|inspect)/, "allow", "local check"]]),
  psql: database({ short: "hpUdcfvLoFPRT", long: ["--host", "--dbname", "--command", "--file"] }),
  pg_dump: database(),
  pg_restore: database(),
  dropdb: database(),
  createdb: database(),
  mysql: database({ short: "hPuDeS" }),
  mariadb: database({ short: "hPuDeS" }),
  mysqldump: database(),
  mysqladmin: database(),
  mongo: database(),
  mongosh: database(),
  mongodump: database(),
  mongorestore: database(),
  "redis-cli": database({ short: "hpanu" }),
  "valkey-cli": database({ short: "hpanu" }),
  cqlsh: database(),
  clickhouse: database(),
  influx: database(),
  sqlcmd: database(),
  sqlplus: database(),
  usql: database(),
  cockroach: database(),
  etcdctl: database(),
  prisma: outward({
    long: ["--schema"],
    rows: [
      [/^(?:validate|version|format|generate)(?: |$)|^$/, "allow", "local"],
      [
        /^(?:migrate (?:deploy|resolve|reset)|db (?:push|execute|seed))/,
        "change",
        "changes the schema of the configured database",
      ],
    ],
  }),
  "drizzle-kit": migrates(/^(?:push|migrate|drop|up)/),
  knex: migrates(/^(?:migrate|seed):/),
  sequelize: migrates(/^db:/),
  "sequelize-cli": migrates(/^db:/),
  typeorm: migrates(/^(?:migration:(?:run|revert)|schema:(?:sync|drop))/),
  "db-migrate": migrates(/^(?:up|down|reset)/),
  alembic: migrates(/^(?:upgrade|downgrade|stamp)/),
  flyway: migrates(/^(?:migrate|clean|repair|undo|baseline)/),
  liquibase: migrates(/^(?:update|rollback|drop)/),
  dbmate: migrates(/^(?:up|migrate|drop|rollback|down)/),
  goose: migrates(/(?:^| )(?:up|down|reset|redo)/),
  migrate: migrates(/(?:^| )(?:up|down|drop|force|goto)/),
  atlas: migrates(/^(?:migrate|schema) (?:apply|down|clean)/),
  sqlx: migrates(/^(?:migrate|database) (?:run|revert|drop|reset)/),
  diesel: migrates(/^(?:migration|database) (?:run|revert|redo|reset|drop)/),
  rails: simple([[/^(?:db:|console|runner|c$|r )/, "ask", "works on the configured database"]]),
  security: simple([
    [
      /^(?:find-(?:generic|internet)-password|find-key|export|dump-keychain|find-certificate)/,
      "secret",
      printsCredential,
    ],
  ]),
  "secret-tool": simple([[/^lookup|^search/, "secret", printsCredential]]),
  pass: simple([[/^(?!ls|find|git|help|version|insert|generate|init)/, "secret", printsCredential]]),
  gopass: simple([[/^(?!ls|find|git|help|version|insert|generate|init)/, "secret", printsCredential]]),
  op: simple([[/^(?:read|item get|document get|inject|run|signin)/, "secret", printsCredential]]),
  bw: simple([[/^(?:get|list|unlock|export)/, "secret", printsCredential]]),
  lpass: simple([[/^(?:show|export)/, "secret", printsCredential]]),
  doppler: simple([
    [/^secrets(?: |$)/, "secret", printsCredential],
    [/^run/, "ask", "gives secrets to a program"],
  ]),
  infisical: simple([[/^(?:secrets|export|token)/, "secret", printsCredential]]),
  sops: simple([[/^/, "secret", printsCredential, /\s(?:-d|--decrypt|decrypt|exec-env|exec-file)\s/]]),
  "ansible-vault": simple([[/^(?:view|decrypt|edit)/, "secret", printsCredential]]),
  gpg: simple([[/^/, "secret", printsCredential, /\s--export-secret|\s--export-ssh/]]),
  age: simple([]),
  "ssh-keygen": simple([[/^/, "ask", "makes or changes keys"]]),
  "ssh-add": simple([]),
  databricks: simple(
    [
      [/^auth token|^tokens create/, "secret", printsCredential],
      [/^bundle (?:deploy|destroy|run)/, "change", "deploys"],
    ],
    { short: "tp", long: ["--target"] },
  ),
  snowsql: database(),
  "oc-token": simple([]),
  dotnet: simple([
    [/^nuget (?:push|delete)/, "prod", "a public release"],
    [/^ef database/, "change", "changes the schema of the configured database"],
    [/^user-secrets list/, "secret", printsCredential],
  ]),
  mvn: simple([publish(/(?:^| )(?:deploy|release:\S+)(?: |$)/)]),
  gradle: simple([publish(/(?:^| )\S*[pP]ublish\S*|(?:^| )uploadArchives/)]),
  mix: simple([
    publish(/^hex\.(?:publish|retire)/),
    [/^ecto\.(?:migrate|drop|reset|rollback)/, "ask", "changes the schema of the configured database"],
  ]),
  poetry: simple([publish(/^publish/)]),
  hatch: simple([publish(/^publish/)]),
  pdm: simple([publish(/^publish/)]),
  bundle: simple([publish(/^exec (?:rake )?release/)]),
  rake: simple([publish(/^release/), [/^(?:test|spec)$/, "allow", "tests"]]),
  playwright: simple([]),
  ssl: simple([]),
};
