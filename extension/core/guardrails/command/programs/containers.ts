// Containers: what runs inside is judged as on another machine; what opens the host to it is denied.
import type { Bench, ProgramRule } from "../bench";
import { hasOption, parseOptions } from "../options";
import type { Word } from "../word";

const valued = {
  short: "velpuwhmcft",
  long: [
    "--volume",
    "--env",
    "--label",
    "--publish",
    "--user",
    "--workdir",
    "--hostname",
    "--memory",
    "--cpus",
    "--name",
    "--network",
    "--net",
    "--mount",
    "--env-file",
    "--entrypoint",
    "--platform",
    "--pid",
    "--ipc",
    "--cap-add",
    "--security-opt",
    "--device",
    "--add-host",
    "--restart",
    "--pull",
    "--gpus",
    "--tag",
    "--file",
    "--context",
    "--host",
    "--target",
    "--build-arg",
    "--project-name",
    "--profile",
    "--project-directory",
    "--filter",
    "--format",
    "--tail",
    "--since",
    "--userns",
    "--volumes-from",
    "--cidfile",
    "--shm-size",
    "--tmpfs",
    "--ulimit",
    "--log-driver",
    "--ip",
    "--dns",
  ],
};

const looks =
  /^(?:ps|images|image ls|image list|container ls|container list|version|info|context ls|network ls|volume ls|compose ls|help|system df|search-local|--version)$/;

const docker: ProgramRule = (call, bench) => {
  const outer = parseOptions(call.args, {
    short: "cHl",
    long: ["--context", "--host", "--config", "--log-level"],
    stops: true,
  });
  if (hasOption(outer, "-H", "--host", "-c", "--context"))
    bench.ask("network", "works with another machine's containers");
  const [first, ...others] = outer.operands;
  if (first === undefined) return null;
  const isGroup =
    /^(?:container|image|compose|buildx|builder|system|volume|network|stack|service|swarm|context|manifest|scout|trust|secret|plugin|node|config)$/.test(
      first.text,
    );
  const inner = isGroup ? parseOptions(others, { ...valued, stops: true }).operands : others;
  const verb = isGroup ? `${first.text} ${inner[0]?.text ?? ""}`.trim() : first.text;
  const args = isGroup ? inner.slice(1) : others;
  judgeVerb(verb, args, isGroup ? others : args, bench);
  return null;
};

function judgeVerb(verb: string, args: readonly Word[], all: readonly Word[], bench: Bench): void {
  if (looks.test(verb)) return;
  const last = verb.split(" ").at(-1) ?? verb;
  const pushes = all.some((word) => /^--push(?:=true)?$|type=registry|push=true/.test(word.text));
  if (pushes || last === "push" || verb === "image push" || (verb.startsWith("buildx imagetools") && last === "create"))
    bench.ask("publishes", "publishes an image", "prod");
  else if (/^(?:stack (?:deploy|rm)|service (?:update|create|rm|scale|rollback)|swarm \S+)$/.test(verb))
    bench.ask("outward", "changes a live cluster");
  else bench.ask("container", `docker ${verb} works outside the workspace`);
  judgeHostAccess(all, bench);
  if (last === "run" || last === "create" || last === "exec") runInside(args, bench);
}

function judgeHostAccess(args: readonly Word[], bench: Bench): void {
  const texts = args.map((word) => word.text);
  const joined = ` ${texts.join(" ")} `;
  const takesHost =
    /\s--privileged(?:=true)?\s/.test(joined) ||
    /\s--(?:pid|ipc|userns|uts)[= ]host\s/.test(joined) ||
    /\s--cap-add[= ](?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH)\s/i.test(joined) ||
    /\s--device[= ]\/dev\/(?!null|fuse|kvm|dri|snd)/.test(joined) ||
    /(?:docker|containerd|podman)\.sock/.test(joined) ||
    texts.some((text) =>
      /^(?:-v|--volume=)?\/(?:etc|root|proc|sys|dev|boot|usr|bin|sbin|lib|var|home)?\/?:/.test(text),
    ) ||
    texts.some((text) => /(?:source|src)=\/(?:etc|root|proc|sys|dev|boot|usr|var|home)?(?:,|$)/.test(text));
  if (takesHost) bench.deny("host-takeover", "gives a container the host");
  for (const word of args) {
    const source =
      /^(?:-v|--volume=)?([~/.][^:]*):/.exec(word.text)?.[1] ?? /(?:source|src)=([^,]+)/.exec(word.text)?.[1];
    if (source !== undefined && !takesHost) bench.touch({ ...word, text: source }, "list");
  }
}

function runInside(args: readonly Word[], bench: Bench): void {
  const { operands } = parseOptions(args, { ...valued, stops: true });
  const payload = operands.slice(1);
  if (payload.length > 0) bench.runWords(payload, { remote: true, stdin: null });
}

/** `kubectl exec POD -- CMD`: judged beside the table for kubectl. */
export const kubectlPayload: ProgramRule = (call, bench) => {
  const at = call.args.findIndex((word) => word.text === "--");
  const verb =
    parseOptions(call.args, { short: "nfocl", long: ["--namespace", "--context", "--kubeconfig"] }).operands[0]?.text ??
    "";
  if (/^(?:exec|run|debug)$/.test(verb) && at !== -1)
    bench.runWords(call.args.slice(at + 1), { remote: true, stdin: null });
  return null;
};

const images: ProgramRule = (call, bench) => {
  const [verb] = parseOptions(call.args).operands;
  const writes = /^(?:copy|sync|delete|push|append|mutate|tag|attach|sign)$/.test(verb?.text ?? "");
  bench.ask("publishes", "works with an image registry", writes ? "prod" : "normal");
  return null;
};

export const containers: Readonly<Record<string, ProgramRule>> = {
  docker,
  podman: docker,
  nerdctl: docker,
  "docker-compose": (call, bench) =>
    docker(
      {
        ...call,
        args: [
          {
            text: "compose",
            raw: "compose",
            glob: false,
            open: false,
            carried: { network: false, decoded: false, secret: false },
          },
          ...call.args,
        ],
      },
      bench,
    ),
  skopeo: images,
  crane: images,
  oras: images,
  regctl: images,
  cosign: images,
  buildah: images,
  ko: images,
  jib: images,
};
