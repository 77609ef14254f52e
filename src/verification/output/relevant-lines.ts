import { stripVTControlCharacters } from 'node:util';

const DEFAULT_LINES = 12;
const MAX_LENGTH = 240;

/** Lines that pip prints around and after the cause of a failed installation. */
const PIP_NOISE =
  /^\[notice\] |^\s*(?:\[end of output\]$|note: This (?:error originates from a subprocess|is an issue with the package)|error: subprocess-exited-with-error$|× (?:pip subprocess|Getting requirements|Preparing|Building) |│ exit code: \d|╰─> )/;

/** How pnpm announces one of several scripts; the lines of its output begin with the same words and a colon. */
const SCRIPT_START = /^(\S+ \S+)\$ /;

/** A line of a stack in Node or in a package. */
const STACK_OUTSIDE = /^\s*\S*\s*at (?:.*\()?(?:node:|.*[\\/]node_modules[\\/]|file:\/\/.*node_modules)/;

const NODE_VERSION = /^Node\.js v\d+/;

/** Lines in which package managers and runners repeat a failure or echo commands. */
const NOISE: readonly RegExp[] = [
  PIP_NOISE,
  /^npm (?:ERR!|error) (?:code (?:ELIFECYCLE|\d+)$|Usage:|Options:|alias(?:es)?:|\[-|npm [\w-]+$|Clean install a project|Install a package$|Run "npm help|errno|path |command |Lifecycle script|workspace |location |in workspace|A complete log|Exit status|Failed at the|This is probably not|\S+@\S+ \S+: `|$)/i,
  /^npm (?:warn|notice|info|timing)\b/i,
  /^\s*.{0,3}\bELIFECYCLE\b/,
  /^\s*ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL/,
  /^error Command failed with exit code \d+\.?$/,
  /^error Command "[^"]*" (?:failed|exited)/,
  /^info Visit https?:/,
  /^(?:yarn run v|Done in |➤ YN0000)/,
  // yarn 1 without a network, in a sealed home.
  /^warning (?:You don't appear to have an internet connection|Skipping preferred cache folder|Selected the next writable cache folder|Cannot find a suitable global folder)/,
  /^>\s|^\$\s/,
  SCRIPT_START,
  /^make(?:\[\d+\])?: (?:Entering|Leaving) directory/,
  /^\s*(?:Test Suites|Test Files|Tests|Snapshots|Time|Start at|Duration|Type Errors):?\s{1,}.*\d/,
  /^Ran all test suites/,
  /^\s*RUN\s+v\d/,
  STACK_OUTSIDE,
  /^\s*❯ (?:.*node_modules|\d+\s*$)/,
  NODE_VERSION,
  /^\(Use `node --trace/,
  /^note: (?:run with `RUST_BACKTRACE|to see the full)/,
  /^exit status \d+$/,
  /^FAIL$|^FAIL\t\S+\t[\d.]+s$/,
  /^(?:error|ERROR): (?:Recipe|Test failed, to rerun|test failed, to rerun|task failed)/,
  /^\s*[-=⎯_~^*.]{3,}\s*$/,
  /^\s*[-=⎯_]{3,}.*[-=⎯_]{3,}\s*$/,
  /^# (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms)\b/,
  /^ℹ /,
];

/** Lines that name a failure or give its cause. */
const TELLING: readonly RegExp[] = [
  // TypeScript and other compilers: file, line, message
  /\berror TS\d+\b/,
  /^\S+?\(?:?\d+[:,]\d+\)?:?\s.*\b(?:error|undefined|cannot|expected|undeclared)\b/i,
  /^error(?:\[E\d+\])?: /,
  // ESLint
  /^\s+\d+:\d+\s+error\s/,
  // pytest and unittest
  /^(?:FAILED|ERROR) \S+/,
  /^E {2,}\S/,
  /^(?:FAIL|ERROR): test/,
  /^[\w.]*(?:Error|Exception|Warning|Exit|Interrupt)(?: \[[^\]]*\])?: \S/,
  /^\s*[\w.]*(?:Error|Exception)(?: \[[^\]]*\])?: \S/,
  /^\s*(?:Caused by|Traceback)\b/,
  // vitest, jest, mocha, node:test, tap, ava
  /^\s*(?:FAIL|❯|×|✖|✘|✗|not ok)\s+\S/,
  /^\s*● .*(?:›|failed to run)/,
  /^\s*\d+\) \S/,
  /^\s*(?:Expected|Received|Actual)\b.*:/i,
  /^\s*expect\(/,
  /^\s*(?:message|error): ['"|]/,
  // Go and Rust
  /^\s*--- FAIL: /,
  /^\s*\S+_test\.go:\d+: /,
  /^(?:panic|fatal error): /,
  /^FAIL\t\S+ \[/,
  /^test \S+ \.\.\. FAILED/,
  /^thread '.*' panicked/,
  /^\s*(?:left|right): /,
  /^\s*--> \S+:\d+/,
  // Everything else
  /command not found|: not found$|No such file or directory|Permission denied|Cannot find (?:module|package)/i,
  /\b(?:ENOENT|EACCES|EROFS|EPERM|ECONNREFUSED|ENOTFOUND|ETIMEDOUT|ERESOLVE|EUSAGE|E404|ERR_[A-Z_]+)\b/,
  /^npm (?:ERR!|error) \S/i,
  /^\s*(?:fatal|error|ERR!?|failed|failure)\b[:!]?\s/i,
  /unknown option|unrecognized argument/i,
  // Go says so of each package without tests.
  /^(?!\?).*\bno tests? (?:found|files)/i,
  /threshold .* not met|does not meet/i,
];

/**
 * The lines of a command's output that explain a failure: failing tests with their assertions, compiler errors, missing
 * programs. If none is recognized, the last lines without the package manager's.
 */
export function relevantLines(output: string, most = DEFAULT_LINES): string[] {
  const lines = withoutScriptNames(plainLines(output)).filter(
    (line) => line.trim() !== '' && !NOISE.some((one) => one.test(line)),
  );
  const telling = lines.filter((line) => TELLING.some((one) => one.test(line)));
  const chosen = telling.length > 0 ? [...new Set(telling)] : lines.slice(-most);
  const shown = chosen.slice(0, most).map((line) => cut(line.replaceAll('\t', '  ')));
  return chosen.length > most ? [...shown.slice(0, -1), `… ${chosen.length - most + 1} more lines`] : shown;
}

function withoutScriptNames(lines: string[]): string[] {
  const names = new Set(lines.flatMap((line) => SCRIPT_START.exec(line)?.[1] ?? []));
  if (names.size === 0) return lines;
  return lines.map((line) => {
    const end = `${line} `.indexOf(': ');
    return end !== -1 && names.has(line.slice(0, end)) ? line.slice(end + 2) : line;
  });
}

/** The lines of an output without what only a terminal understands. */
export function plainLines(output: string): string[] {
  return stripVTControlCharacters(output)
    .split(/\r?\n|\r/)
    .map((line) => line.trimEnd());
}

/** Lines that hide the cause of a failed installation: progress, warnings of old packages, and npm's last words. */
const CHATTER =
  /^npm (?:error|ERR!) (?:A complete log|Lifecycle|code ELIFECYCLE)|^npm warn deprecated |^Progress: resolved \d/i;

/** What follows the cause of a failed installation: the rest of npm's usage, and a stack outside the project. */
const AFTERMATH: readonly RegExp[] = [
  /^npm (?:error|ERR!)(?: (?:Clean install a project|Install a package|Usage:|Options:|alias(?:es)?: .*|npm [\w-]+|Run "npm help .*))?$/,
  STACK_OUTSIDE,
  NODE_VERSION,
];

/** The last non-empty lines of an output. */
export function lastLines(output: string, most: number): string[] {
  const lines = plainLines(output).filter(
    (line) => line.trim() !== '' && !CHATTER.test(line) && !PIP_NOISE.test(line),
  );
  const telling = lines.filter((line) => !AFTERMATH.some((one) => one.test(line)));
  return (telling.length > 0 ? telling : lines).slice(-most);
}

/** npm prints its usage after the cause of a failure, which would no longer be among the last lines. */
export function withoutNpmUsage(output: string): string {
  if (!/^npm (?:ERR!|error) Options:/m.test(output)) return output;
  // Since version 11, an empty line follows each option.
  return output.replace(/^npm (?:ERR!|error)(?: {2,}.*| \[-.*| ?)\n/gm, '');
}

/** The end of an output, from the beginning of a line. */
export function wholeLastLines(output: string, most: number): string {
  if (output.length <= most) return output;
  const tail = output.slice(-most);
  const firstLine = tail.indexOf('\n') + 1;
  return output.at(-most - 1) === '\n' || firstLine === tail.length ? tail : tail.slice(firstLine);
}

/** The first lines of a test's message, without its stack. */
export function messageLines(message: string, most: number): string[] {
  const lines = stripVTControlCharacters(message)
    .split(/\r?\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (PYTEST_SETUP.test(lines[0] ?? '')) {
    const errors = lines.filter((line) => PYTEST_ERROR.test(line));
    if (errors.length > 0) return errors.slice(0, most).map((line) => cut(line.replace(PYTEST_ERROR, '')));
  }
  const stack = lines.findIndex((line, index) => index > 0 && STACK.test(line));
  return lines.slice(0, stack === -1 ? most : Math.min(stack, most)).map(cut);
}

/** If a fixture is missing, pytest shows the code of the test before the error. */
const PYTEST_SETUP = /^(?:failed on setup with "?)?file .*, line \d+$/;
const PYTEST_ERROR = /^E {2,}(?=\S)/;

const STACK = /^(?:at |❯ )\S.*(?::\d+|\))$|^Traceback \(most recent/;

function cut(line: string): string {
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line;
}
