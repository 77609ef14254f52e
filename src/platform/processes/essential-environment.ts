/** Variables that a program needs to find its files and its words, and none that changes what it runs. */
const NAMES =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|XDG_[A-Z_]+|GUARDKIT_[A-Z_]+|SSL_CERT_(?:FILE|DIR))$/;

/** Variables by which GuardKit marks what it runs. */
const MARKS = /^GUARDKIT_(?:RUN|INSIDE_AGENT)$/;

/** The environment of a program that outlives whoever starts it. */
export function essentialEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => NAMES.test(name) && !MARKS.test(name)));
}
