/** What GuardKit's environment must not hand on to a command, and why. Names are compared in upper case. */
const LEFT_OUT: readonly { names: RegExp; why: string }[] = [
  {
    names:
      /(?:^|_)(?:TOKENS?|KEYS?|SECRETS?|PASS|PASSWD|PWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE)(?:$|_)|PASSWORD/,
    why: 'the name says that it is a secret; PWD, which is none, every shell sets anew',
  },
  { names: /^(?:AWS|AZURE|ANTHROPIC|OPENAI|CLOUDSDK)_/, why: 'accounts' },
  { names: /^GUARDKIT_/, why: "GuardKit's own, with the address of its database in it" },
  { names: /^GIT_/, why: 'would lead git to another repository or run programs' },
  {
    names: /^(?:SSH|GPG|DBUS|DOCKER|TMUX|STY$|DISPLAY$|WAYLAND|XAUTHORITY$|XDG_RUNTIME_DIR$)/,
    why: 'doors out',
  },
  {
    names: /^(?:NPM_(?!CONFIG_REGISTRY$)|INIT_CWD$|PNPM_SCRIPT|YARN_IGNORE)/,
    why: "belong to the npm script in which GuardKit itself may run; a person's registry stays",
  },
  {
    names:
      /^(?:LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_.*|BASH_ENV|BASH_FUNC_.*|ENV|SHELLOPTS|BASHOPTS|IFS|CDPATH|NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONHOME|PYTHONSTARTUP|PYTHONINSPECT|PERL5(?:LIB|OPT)|RUBY(?:LIB|OPT)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|RUSTC_.*)$/,
    why:
      'load code that is in neither the tree nor the command, so that two people would see two results; ' +
      'a project whose tests need PYTHONPATH says so in its command',
  },
  {
    names:
      /^(?:PYTEST_.*|VITEST.*|JEST_.*|NODE_TEST_.*|NODE_V8_COVERAGE|COVERAGE_.*|GOFLAGS|GOTESTFLAGS|RUSTFLAGS|RUSTDOCFLAGS|MAVEN_OPTS|MAVEN_ARGS|GRADLE_OPTS|MAKEFLAGS|MFLAGS|MAKELEVEL)$/,
    why: 'change which tests run or how they report; a value of the runner around GuardKit is not for the one inside',
  },
  {
    names: /^NODE_(?:CHANNEL_.*|UNIQUE_ID)$/,
    why: 'tie a process of Node to the one that started it; another would come down with them',
  },
  {
    names: /^(?:FORCE_COLOR|CLICOLOR_FORCE|COLORTERM|CI|NO_COLOR|TERM)$/,
    why: 'set below: output is for parsers',
  },
  { names: /^(?:TMP|TEMP)$/, why: 'only TMPDIR counts on the systems that GuardKit runs on' },
  { names: /^(?:OLDPWD|SHLVL|_)$/, why: "the caller's shell's own" },
];

const FIXED = { CI: '1', NO_COLOR: '1', TERM: 'dumb' };

/** The environment of a person's own command, made from that of GuardKit. */
export function commandEnvironment(
  base: NodeJS.ProcessEnv,
  { sandboxed = false }: { sandboxed?: boolean } = {},
): NodeJS.ProcessEnv {
  const handedOn = Object.entries(base).filter(
    ([name, value]) => value !== undefined && !LEFT_OUT.some(({ names }) => names.test(name.toUpperCase())),
  );
  return { ...Object.fromEntries(handedOn), ...FIXED, ...(sandboxed ? { TMPDIR: '/tmp' } : {}) };
}

/** Variables that a program needs to find its files and its words, and none that changes what it runs. */
const NAMES =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|XDG_[A-Z_]+|GUARDKIT_[A-Z_]+|SSL_CERT_(?:FILE|DIR))$/;

/** Variables by which GuardKit marks what it runs. */
const MARKS = /^GUARDKIT_(?:RUN|INSIDE_AGENT)$/;

/** The environment of a program that outlives whoever starts it. */
export function essentialEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => NAMES.test(name) && !MARKS.test(name)));
}
