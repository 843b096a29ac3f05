// The machine itself, and the editor that hosts the harness.
import type { Call, ProgramRule } from "../bench";
import { parseOptions } from "../options";

function stops(reason: string): ProgramRule {
  return (_call, bench) => {
    bench.deny("host", reason);
    return null;
  };
}

function asks(reason: string, level: "normal" | "guarded" = "guarded"): ProgramRule {
  return (call, bench) => {
    bench.ask("system", reason, level);
    for (const word of parseOptions(call.args).operands) bench.touchUnknown(word);
    return null;
  };
}

const isOwn = /donegate/i;

const pkill: ProgramRule = (call, bench) => {
  if (isOwn.test(call.source)) bench.deny("harness", "the harness is not ended by what it guards");
  if (call.args.some((word) => word.text === "-1" || word.text === ".*" || word.text === "."))
    bench.deny("host", "ends everything that runs");
  bench.ask("signals", "signals processes by name");
  return null;
};

const service: ProgramRule = (call: Call, bench) => {
  const words = call.args.map((word) => word.text);
  if (words.some((word) => /^(?:poweroff|reboot|halt|kexec|rescue|emergency|suspend|hibernate|isolate)$/.test(word)))
    bench.deny("host", "stops the host");
  else if (words.some((word) => isOwn.test(word))) bench.deny("harness", "the harness is not ended by what it guards");
  else if (!/^(?:status|list-units|is-active|list|show|cat)$/.test(words.find((word) => !word.startsWith("-")) ?? ""))
    bench.ask("system", "changes services of the machine", "guarded");
  return null;
};

const init: ProgramRule = (call, bench) => {
  if (/^[016]$/.test(call.args[0]?.text ?? "")) bench.deny("host", "stops the host");
  else bench.ask("system", "changes the machine's run level", "guarded");
  return null;
};

const code: ProgramRule = (call, bench) => {
  const words = call.args.map((word) => word.text);
  if (words.some((word) => isOwn.test(word)) && words.some((word) => /^--(?:disable|uninstall)-extension/.test(word))) {
    bench.deny("harness", "switches the gate off");
  }
  if (words.includes("--disable-extensions")) bench.deny("harness", "switches the gate off");
  bench.ask("editor", "changes or opens the editor that hosts the harness");
  for (const word of parseOptions(call.args).operands) bench.mention(word.text);
  return null;
};

const donegate: ProgramRule = (_call, bench) => {
  bench.deny("harness", "the harness is not run by what it guards");
  return null;
};

const openFile: ProgramRule = (call, bench) => {
  bench.ask("outside", "opens another program");
  for (const word of parseOptions(call.args).operands) bench.mention(word.text);
  return null;
};

const wipes = stops("overwrites a disk");

export const system: Readonly<Record<string, ProgramRule>> = {
  ...Object.fromEntries(["shutdown", "reboot", "halt", "poweroff"].map((name) => [name, stops("stops the host")])),
  ...Object.fromEntries(
    [
      "mkfs",
      "fdisk",
      "sfdisk",
      "gdisk",
      "sgdisk",
      "parted",
      "wipefs",
      "blkdiscard",
      "mkswap",
      "hdparm",
      "badblocks",
      "cryptsetup",
      "pvremove",
      "vgremove",
      "lvremove",
      "zpool",
      "diskutil",
    ].map((name) => [name, wipes]),
  ),
  init,
  telinit: init,
  systemctl: service,
  service,
  launchctl: service,
  "rc-service": service,
  pkill,
  killall: pkill,
  skill: pkill,
  xkill: pkill,
  fuser: pkill,
  ...Object.fromEntries(
    [
      "mount",
      "umount",
      "losetup",
      "swapoff",
      "swapon",
      "sysctl",
      "modprobe",
      "insmod",
      "rmmod",
      "iptables",
      "ip6tables",
      "nft",
      "ufw",
      "firewall-cmd",
      "ip",
      "ifconfig",
      "route",
      "useradd",
      "userdel",
      "usermod",
      "adduser",
      "deluser",
      "groupadd",
      "passwd",
      "chpasswd",
      "visudo",
      "chsh",
      "setenforce",
      "apparmor_parser",
      "update-alternatives",
      "ldconfig",
      "defaults",
      "csrutil",
      "spctl",
      "scutil",
      "networksetup",
      "dscl",
      "reg",
      "regedit",
      "schtasks",
      "sc",
      "net",
      "netsh",
      "wmic",
      "bcdedit",
      "vssadmin",
      "timedatectl",
      "hostnamectl",
      "loginctl",
      "journalctl",
      "dmesg",
      "lsof",
      "ss",
      "netstat",
      "gdb",
      "lldb",
      "gcore",
      "perf",
      "tcpdump",
      "tshark",
      "wireshark",
    ].map((name) => [name, asks("changes or looks into the machine")]),
  ),
  code,
  "code-insiders": code,
  codium: code,
  cursor: code,
  "code-server": code,
  donegate,
  open: openFile,
  "xdg-open": openFile,
  start: openFile,
  explorer: openFile,
};
