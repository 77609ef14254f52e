/** Variables that commands must not inherit from GuardKit, and why. Names are compared in upper case. */
const LEFT_OUT: readonly { names: RegExp; why: string }[] = [
  {
    names:
      /(?:^|_)(?:TOKENS?|KEYS?|SECRETS?|PASS|PASSWD|PWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE)(?:$|_)|PASSWORD/,
    why: 'named like a secret; PWD is not one, but every shell sets it again',
  },
  { names: /^(?:AWS|AZURE|ANTHROPIC|OPENAI|CLOUDSDK)_/, why: 'accounts' },
  { names: /^GUARDKIT_/, why: 'GuardKit’s own, including the database URL' },
  { names: /^GIT_/, why: 'would redirect git or run programs' },
  {
    names: /^(?:SSH|GPG|DBUS|DOCKER|TMUX|STY$|DISPLAY$|WAYLAND|XAUTHORITY$|XDG_RUNTIME_DIR$)/,
    why: 'sockets to services outside the sandbox',
  },
  {
    names: /^(?:NPM_(?!CONFIG_REGISTRY$)|INIT_CWD$|PNPM_SCRIPT|YARN_IGNORE)/,
    why: 'belong to the npm script that may have started GuardKit; the person’s registry stays',
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
    why: 'change which tests run or how they report; they are for a runner around GuardKit, not inside it',
  },
  {
    names: /^NODE_(?:CHANNEL_.*|UNIQUE_ID)$/,
    why: 'connect a Node process to its parent; another process would crash with them',
  },
  {
    names: /^(?:FORCE_COLOR|CLICOLOR_FORCE|COLORTERM|CI|NO_COLOR|TERM)$/,
    why: 'set below, for parsers',
  },
  { names: /^(?:TMP|TEMP)$/, why: 'only TMPDIR counts on supported systems' },
  { names: /^(?:OLDPWD|SHLVL|_)$/, why: 'internal to the caller’s shell' },
];

const FIXED = { CI: '1', NO_COLOR: '1', TERM: 'dumb' };

/** The environment of a person's command, derived from GuardKit's. */
export function commandEnvironment(
  base: NodeJS.ProcessEnv,
  { sandboxed = false }: { sandboxed?: boolean } = {},
): NodeJS.ProcessEnv {
  const handedOn = Object.entries(base).filter(
    ([name, value]) => value !== undefined && !LEFT_OUT.some(({ names }) => names.test(name.toUpperCase())),
  );
  return { ...Object.fromEntries(handedOn), ...FIXED, ...(sandboxed ? { TMPDIR: '/tmp' } : {}) };
}

/** Variables for paths and locale; none that changes what a program runs. */
const NAMES =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|XDG_[A-Z_]+|GUARDKIT_[A-Z_]+|SSL_CERT_(?:FILE|DIR))$/;

/** Variables that mark GuardKit's own runs. */
const MARKS = /^GUARDKIT_(?:RUN|INSIDE_AGENT)$/;

/** The environment of a program that outlives its parent. */
export function essentialEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => NAMES.test(name) && !MARKS.test(name)));
}
