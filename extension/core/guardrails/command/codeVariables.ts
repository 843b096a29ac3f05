// Variables that make a program run something else, or somewhere else, than its words say.
import { ask, deny, type Verdict } from "../verdict";
import type { Assignment } from "./bench";

const exact = new Set(
  `PATH ENV BASH_ENV SHELL IFS PS4 PROMPT_COMMAND SHELLOPTS BASHOPTS CDPATH HOME ZDOTDIR INPUTRC EDITOR VISUAL PAGER MANPAGER
  BROWSER LESSOPEN LESSCLOSE LESS LESSKEY MANOPT MANROFFOPT TERMINFO NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE
  PYTHONSTARTUP PYTHONPATH PYTHONHOME PYTHONWARNINGS PYTHONBREAKPOINT PYTHONUSERBASE PYTHONINSPECT PYTHONEXECUTABLE
  PYTEST_ADDOPTS PYTEST_PLUGINS TOX_TESTENV_PASSENV PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYOPT RUBYLIB GEM_HOME GEM_PATH
  BUNDLE_GEMFILE BUNDLE_PATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS
  CLASSPATH GOFLAGS GOENV GOTOOLCHAIN GOROOT GOPATH RUSTC RUSTDOC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS RUSTDOCFLAGS
  CC CXX LD AR MAKE MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEFILES CMAKE_TOOLCHAIN_FILE SSH_ASKPASS SUDO_ASKPASS SUDO_EDITOR
  RIPGREP_CONFIG_PATH GREP_OPTIONS TAR_OPTIONS DOCKER_HOST DOCKER_CONFIG KUBECONFIG DOTNET_STARTUP_HOOKS PHPRC PHP_INI_SCAN_DIR
  LUA_INIT LUA_PATH LUA_CPATH CURL_HOME WGETRC XDG_CONFIG_HOME XDG_CONFIG_DIRS OPENSSL_CONF OPENSSL_MODULES HTTP_PROXY
  HTTPS_PROXY ALL_PROXY JEST_CONFIG VITEST_CONFIG ESLINT_USE_FLAT_CONFIG NODE_TLS_REJECT_UNAUTHORIZED NODE_EXTRA_CA_CERTS
  PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX_URL PIP_CONFIG_FILE PYTHONDEVMODE ELECTRON_RUN_AS_NODE`.split(/\s+/),
);

const families =
  /^(?:LD_|DYLD_|BASH_FUNC_|GIT_(?!AUTHOR_|COMMITTER_|TERMINAL_PROMPT$|OPTIONAL_LOCKS$|CEILING_DIRECTORIES$)|npm_config_|NPM_CONFIG_|YARN_|PNPM_|CARGO_(?!TERM_|INCREMENTAL$|NET_OFFLINE$)|DONEGATE_|VSCODE_|LESS_TERMCAP_)/i;

/** Values under which a variable of the list does nothing. */
const harmlessValues: ReadonlySet<string> = new Set(["", "cat", "true", ":", "/bin/true", "/bin/cat"]);
const harmlessFor = /^(?:.*PAGER|.*EDITOR|VISUAL|BROWSER|GIT_ASKPASS|SSH_ASKPASS|LESSOPEN)$/;

const updatesSnapshots =
  /^(?:UPDATE_(?:SNAPSHOTS?|GOLDENS?|EXPECT(?:ED)?)|SNAPSHOT_UPDATE|INSTA_UPDATE|INSTA_FORCE_UPDATE|TRYBUILD|BLESS)$/;

/** Null: the variable changes nothing that matters. */
export function judgeAssignment({ name, value }: Assignment): Verdict | null {
  const text = value.text;
  if (updatesSnapshots.test(name) && !/^(?:|0|no|false|none)$/i.test(text)) {
    return deny("command.rewrites-snapshots", `${name} rewrites approved snapshots, which belong to the contract`);
  }
  const injects = exact.has(name) || exact.has(name.toUpperCase()) || families.test(name);
  if (!injects || (harmlessFor.test(name) && harmlessValues.has(text))) return null;
  return ask("command.code-variable", `${name} can change what programs run or load`, "normal");
}
