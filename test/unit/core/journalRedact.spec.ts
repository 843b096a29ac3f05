import { describe, expect, it } from "vitest";
import { findSecrets, redactEvent, redactText, toSecretValues } from "../../../extension/core/journal/redact";
import { growthOf, linear } from "../../support/growth";

// Put together here, so that no scanner takes this file for a leak.
const letters = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5";
const jwt = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "dozjgNryP4J3jVmNHl0w5N"].join(".");
const keyBlock = ["-----BEGIN RSA PRIVATE", " KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE", " KEY-----"].join("");
const samples: [kind: string, secret: string][] = [
  ["github", `ghp_${letters}`],
  ["github", `github_${"pat"}_11ABCDEFG0${letters}`],
  ["aws", `AKIA${"IOSFODNN7EXAMPLE"}`],
  ["slack", `xox${"b"}-123456789012-abcdefGHIJ`],
  ["api-key", `sk-${"proj"}-${letters}`],
  ["api-key", `sk-${"ant-api03"}-${letters}`],
  ["stripe", `sk_${"live"}_${letters}`],
  ["google", `AIza${letters.slice(0, 35)}`],
  ["npm", `npm_${letters}`],
  ["jwt", jwt],
  ["private-key", keyBlock],
];

describe("redactEvent", () => {
  it.each(samples)("replaces a %s secret wherever it stands", (kind, secret) => {
    const event = {
      type: "tool_end",
      args: { token: secret, list: ["x", { deep: `a ${secret} b` }] },
      text: `"${secret}"`,
    };
    const { event: clean, spans } = redactEvent(event, []);
    expect(JSON.stringify(clean)).not.toContain(secret.slice(6, 30));
    expect(clean.args.token).toBe(`«redacted:${kind}»`);
    expect(clean.args.list[1]).toEqual({ deep: `a «redacted:${kind}» b` });
    expect(spans).toEqual(["args.token", "args.list[1].deep", "text"]);
    expect(event.args.token).toBe(secret);
  });

  it("finds a secret inside JSON text, as the arguments of a call are", () => {
    const argumentsText = JSON.stringify({ content: `key:\n${keyBlock}\nend` });
    const { event } = redactEvent({ type: "model_reply", argumentsText }, []);
    expect(event.argumentsText).not.toContain("MIIEow");
    expect(JSON.parse(event.argumentsText)).toEqual({ content: "key:\n«redacted:private-key»\nend" });
  });

  it("takes a cut key block to the end of the text", () => {
    expect(redactText(`a ${keyBlock.slice(0, 50)}`, [])).toBe("a «redacted:private-key»");
  });

  it("replaces a token after Bearer and a password in an address, and keeps the rest", () => {
    const text = `Authorization: Bearer ${letters} to postgres://app:hunter22@db.local/x`;
    expect(redactText(text, [])).toBe(
      "Authorization: Bearer «redacted:bearer» to postgres://app:«redacted:url-password»@db.local/x",
    );
  });

  it("replaces values of secret-named variables, also as JSON text writes them, also as a key", () => {
    const secrets = [{ name: "DEPLOY_TOKEN", value: 'with"quote\\and more' }];
    const event = {
      type: "x",
      plain: 'a with"quote\\and more',
      json: JSON.stringify({ v: 'with"quote\\and more' }),
      map: { 'with"quote\\and more': 1 },
    };
    const { event: clean, spans } = redactEvent(event, secrets);
    expect(clean).toEqual({
      type: "x",
      plain: "a «redacted:DEPLOY_TOKEN»",
      json: '{"v":"«redacted:DEPLOY_TOKEN»"}',
      map: { "«redacted:DEPLOY_TOKEN»": 1 },
    });
    expect(spans).toEqual(["plain", "json", "map.«redacted:DEPLOY_TOKEN»"]);
  });

  it("ignores values too short to mean anything", () => {
    expect(redactText("true story", [{ name: "TOKEN", value: "true" }])).toBe("true story");
  });

  it("leaves an event without secrets as it is", () => {
    const event = {
      type: "tool_end",
      digest: "a".repeat(64),
      n: 1,
      none: null,
      text: "task-list-for-the-disk-sk-fading-circle, Bearer authentication-required",
    };
    const { event: same, spans } = redactEvent(event, []);
    expect(same).toBe(event);
    expect(spans).toEqual([]);
  });

  it("changes nothing when it is done twice", () => {
    const once = redactText(samples.map(([, secret]) => secret).join(" "), []);
    expect(redactText(once, [])).toBe(once);
  });

  it.each([
    "eyJ",
    "sk-",
    "Bearer ",
    "://",
    "a:",
    "eyJaaaaaaaa.",
    "-----BEGIN PRIVATE KEY",
    "ghp_a",
    "secret_access_key = ",
    "A",
    "xoxb-",
    "sk-a-",
  ])("runs in linear time on text of %j", (unit) => {
    const toText = (size: number) => unit.repeat(Math.ceil(size / unit.length));
    expect(growthOf(toText, (text) => redactText(text, []), 30_000)).toBeLessThan(linear);
  });
});

describe("findSecrets", () => {
  it("answers line, kind and a mask that gives nothing away", () => {
    const token = `ghp_${letters}`;
    const found = findSecrets(`one\ntwo = "${token}"\n\n${keyBlock}\nlast ${jwt}\n`);
    expect(found).toEqual([
      { line: 2, kind: "github", masked: "ghp_… (40 characters)" },
      { line: 4, kind: "private-key", masked: "private key block" },
      { line: 8, kind: "jwt", masked: `eyJh… (${jwt.length} characters)` },
    ]);
  });

  it("does not call place holders and documentation secrets", () => {
    const text = `curl -H "Authorization: Bearer $TOKEN"\npostgres://user:password@localhost/db\nsk-your-key-here\nghp_xxx\n-----BEGIN PUBLIC KEY-----`;
    expect(findSecrets(text)).toEqual([]);
  });
});

describe("toSecretValues", () => {
  it("takes variables whose name says secret and whose value is long enough", () => {
    const environment = {
      OPENAI_API_KEY: "12345678",
      npm_config_token: "abcdefgh",
      DB_PASSWORD: "short",
      PWD: "/home/somebody",
      SSH_AUTH_SOCK: "/tmp/agent.123",
      MONKEY: "bananas-bananas",
      TOKEN_URL: "https://example.com",
      PATH: "/usr/bin:/bin",
      GITHUB_TOKEN: undefined,
      MY_SECRET: "swordfish!",
    };
    expect(toSecretValues(environment).map(({ name }) => name)).toEqual([
      "OPENAI_API_KEY",
      "npm_config_token",
      "MY_SECRET",
    ]);
  });
});
