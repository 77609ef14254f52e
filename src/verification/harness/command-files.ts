import { posix } from 'node:path';
import { MONOREPO_RUNNERS } from './follow-monorepo.ts';
import { PYTHON_LAUNCHERS } from './follow-python-launcher.ts';
import { packageManagerOf, SCRIPT_RUNNERS } from './package-scripts.ts';
import { runnerOf } from './runner-configs.ts';
import { STARTS_PROCESS } from './split-shell.ts';

/**
 * How a command uses a file that it names: `program` is executed, `module` is executed by its dotted name, `settings`
 * configures or preloads, `inline` is code in the command itself, and `compared` is the expected result. Files that are
 * only read have no role.
 */
export type FileRole = 'program' | 'module' | 'settings' | 'inline' | 'compared';

export interface CommandFiles {
  files: { word: string; role: FileRole }[];
  /** Positions of the words that name a program. */
  programs: number[];
  /** It starts an unknown program, which may start any other. */
  opaque: boolean;
}

/** They run the command that follows their own options. */
const LAUNCHERS = new Set(
  'env cross-env cross-env-shell dotenv dotenvx timeout gtimeout nice ionice stdbuf nohup time sudo exec command xvfb-run unbuffer setsid retry xargs npx pnpx bunx corepack nyc c8 poetry uv uvx pdm pipenv rye pipx bundle docker docker-compose podman start-server-and-test wait-on nx-run direnv nix-shell rtk strace catchsegv'.split(
    ' ',
  ),
);
const JS_INTERPRETERS = new Set(
  'node nodejs tsx ts-node ts-node-esm ts-node-dev babel-node esmo swc-node vite-node deno bun electron zx coffee'.split(
    ' ',
  ),
);
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'source', '.']);
const OTHER_INTERPRETERS = new Set(['ruby', 'perl', 'php', 'lua', 'Rscript', 'julia', 'elixir']);
/** They read or move files and execute none. */
const DATA_TOOLS = new Set(
  'cat tac jq yq grep egrep fgrep rg ls head tail wc sed awk gawk sort uniq cut tr test [ [[ ] echo printf mkdir rm rmdir cp mv ln touch find tee curl wget stat file du df sleep true false : pwd set unset export git tar zip unzip gzip gunzip shasum sha256sum md5sum md5 which type hash chmod date seq basename dirname realpath readlink od xxd column expr kill wait trap exit return shift local read rimraf del-cli mkdirp shx cpy ncp copyfiles xmllint sqlite3 psql'.split(
    ' ',
  ),
);
/** Those of them that take a program from a file. */
const FILTERS = new Set(['jq', 'yq', 'sed', 'awk', 'gawk', 'grep', 'egrep', 'fgrep', 'rg']);
const COMPARERS = new Set(['diff', 'cmp', 'comm', 'colordiff', 'dyff', 'jd']);
/** Compilers and build tools: they make the product, which the tests then judge. */
const BUILD_TOOLS = new Set(
  'tsc vue-tsc svelte-check rollup webpack esbuild tsup tsdown unbuild vite parcel swc babel gulp grunt lerna husky lint-staged microbundle ncc pkgroll gcc cc clang g++ rustc javac make gmake cmake ninja pip pip3 npm-check browserify uglifyjs terser google-closure-compiler buble publint attw tsd dtslint sphinx-build mkdocs typedoc api-extractor size-limit'.split(
    ' ',
  ),
);
/** Their own scripts, targets and tasks are followed. */
const FOLLOWED = new Set([
  ...SCRIPT_RUNNERS,
  ...MONOREPO_RUNNERS,
  ...[...PYTHON_LAUNCHERS].filter((name) => !LAUNCHERS.has(name)),
]);
/** They read every given file as text to judge. */
const LINTERS = new Set(
  'prettier standard xo jshint stylelint markdownlint markdownlint-cli2 commitlint cspell knip depcheck madge black isort mypy pyright flake8 ruff pylint bandit yamllint shellcheck gofmt goimports golint staticcheck rustfmt ktlint dprint oxlint'.split(
    ' ',
  ),
);

const SETTINGS_OPTION =
  /^(?:-c|-r|-R|-p|-f|--?(?:[\w-]*(?:config|require|import|loader|set-?up|teardown|preset|environment|runner|transform|resolver|serializers?|plugins?|parser|helpers?|processor|sequencer|provider|rcfile|rulesdir|workspace|opts)|reporters?|ui|file|init-file|from-file|projects?|node-arg))$/i;
const CODE_OPTION = /^(?:-e|-p|-pe|-c|--eval|--print|-lc|-ec|-ic|-xc)$/;
const VALUE_OPTION = /^(?:--env-file(?:-if-exists)?|-W|-X|-P|--project|-O|--conditions|-C|--title|--cwd)$/;
const OUTPUT_OPTION = /^(?:-o|--?(?:out|output|outfile|out-file|dest|destination))$/;
const EXECUTABLE = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|rb|pl|php|lua|awk|jq|mk)$/i;
const EXPECTED =
  /(?:^|[/._-])(?:expected|golden|goldens|baseline|snapshots?|reference|schema|rules?)(?:[/._-]|$)/i;

/** Determines which files a simple command executes and which it only reads. */
export function commandFiles(words: readonly string[], assignments: readonly string[]): CommandFiles {
  const found: CommandFiles = { files: [], programs: [], opaque: false };
  for (const value of assignments)
    for (const word of value.split(/[\s=,]+/))
      if (EXECUTABLE.test(word)) found.files.push({ word, role: 'settings' });
  readProgram(found, words, 0);
  return found;
}

function readProgram(found: CommandFiles, words: readonly string[], at: number): void {
  const word = words[at];
  if (word === undefined) return;
  const name = programName(word);
  found.programs.push(at);
  const runs = (program: string) => name === program && words[at + 1] === 'run';
  if (packageManagerOf(word) !== undefined && !JS_INTERPRETERS.has(name) && !LAUNCHERS.has(name))
    readManager(found, words, at);
  else if (LAUNCHERS.has(name)) readLauncher(found, words, at);
  else if (JS_INTERPRETERS.has(name)) readInterpreter(found, words, at, 'js');
  else if (isPython(name)) readInterpreter(found, words, at, 'python');
  else if (SHELLS.has(name)) readInterpreter(found, words, at, 'shell');
  else if (OTHER_INTERPRETERS.has(name)) readInterpreter(found, words, at, 'other');
  else if (FILTERS.has(name)) readOptions(found, words, at, /^(?:-f|--from-file|--file)$/);
  else if (DATA_TOOLS.has(name)) return;
  else if (COMPARERS.has(name)) readCompared(found, words.slice(at + 1));
  else if (FOLLOWED.has(name)) return;
  else if (runs('coverage')) readCoverageRun(found, words, at + 1);
  else if (runs('go')) {
    const script = words.slice(at + 2).find((one) => !one.startsWith('-'));
    found.files.push({ word: script ?? '', role: 'program' });
  } else if (runnerOf(word) !== undefined || LINTERS.has(name) || BUILD_TOOLS.has(name))
    readOptions(found, words, at);
  else readUnknown(found, words, at);
}

/** Whether a word is almost certainly the name of a program that runs others. */
function startsOthers(word: string): boolean {
  const name = programName(word);
  return (
    packageManagerOf(word) !== undefined ||
    FOLLOWED.has(name) ||
    JS_INTERPRETERS.has(name) ||
    isPython(name) ||
    OTHER_INTERPRETERS.has(name) ||
    ['sh', 'bash', 'zsh', 'make', 'nyc', 'c8', 'uv', 'poetry'].includes(name) ||
    runnerOf(word) !== undefined
  );
}

function isKnownProgram(word: string): boolean {
  const name = programName(word);
  return (
    startsOthers(word) ||
    LAUNCHERS.has(name) ||
    SHELLS.has(name) ||
    DATA_TOOLS.has(name) ||
    COMPARERS.has(name) ||
    BUILD_TOOLS.has(name) ||
    LINTERS.has(name)
  );
}

function programName(word: string): string {
  const manager = packageManagerOf(word);
  if (manager !== undefined) return manager;
  const ending = /(?:^|\/)node_modules\//.test(word) ? /\.(?:cmd|exe|[cm]?js)$/ : /\.(?:cmd|exe)$/;
  return posix.basename(word).replace(ending, '');
}

function isPython(name: string): boolean {
  return /^(?:python|pypy)[\d.]*$|^py$/.test(name);
}

/** `pnpm vitest` and `yarn exec jest` start a program; `npm run x` is followed elsewhere. */
function readManager(found: CommandFiles, words: readonly string[], at: number): void {
  const next = words.findIndex(
    (word, index) => index > at && !word.startsWith('-') && !['exec', 'dlx', 'x', 'run'].includes(word),
  );
  const verb = words.slice(at + 1).find((word) => !word.startsWith('-'));
  const mayStart =
    verb === 'exec' || verb === 'dlx' || verb === 'x' || programName(words[at] ?? '') !== 'npm';
  if (next !== -1 && mayStart && isKnownProgram(words[next] ?? '')) readProgram(found, words, next);
}

function readLauncher(found: CommandFiles, words: readonly string[], at: number): void {
  const rest = [...words.entries()].slice(at + 1);
  const candidates = rest.filter(
    ([, word]) =>
      !/^-|^[A-Za-z_]\w*=|^\d[\d.]*[smhd]?$/.test(word) && !['run', 'exec', 'compose'].includes(word),
  );
  // After options with values, the program is recognized only by its name.
  const first = candidates[0];
  const next =
    first !== undefined && isKnownProgram(first[1])
      ? first
      : (candidates.find(([, word]) => startsOthers(word)) ?? first);
  const before = rest.filter(([index]) => next === undefined || index < next[0]).map(([, word]) => word);
  for (const word of before)
    if (/^[A-Za-z_]\w*=/.test(word) && EXECUTABLE.test(word))
      found.files.push({ word: word.slice(word.indexOf('=') + 1), role: 'settings' });
  readOptions(found, ['', ...before], 0);
  if (next !== undefined) readProgram(found, words, next[0]);
}

function readInterpreter(
  found: CommandFiles,
  words: readonly string[],
  start: number,
  kind: 'js' | 'python' | 'shell' | 'other',
): void {
  let tests = false;
  for (let at = start + 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const next = words[at + 1];
    if (word === '--test' && kind === 'js') tests = true;
    else if (word === '-m' && kind === 'python' && next !== undefined) {
      if (runnerOf(next) !== undefined || next === 'pip') readProgram(found, words, at + 1);
      else found.files.push({ word: next, role: 'module' });
      return;
    } else if (CODE_OPTION.test(word) && !(kind === 'js' && word === '-c') && next !== undefined) {
      found.files.push({ word: next, role: 'inline' });
      found.opaque ||= STARTS_PROCESS.test(next);
      return;
    } else if (kind === 'js' && SETTINGS_OPTION.test(word.split('=', 1)[0] ?? '') && word !== '-p') {
      const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[++at] ?? '');
      found.files.push({ word: value, role: 'settings' });
    } else if (VALUE_OPTION.test(word) && kind !== 'shell') at += 1;
    else if (!word.startsWith('-') || word === '-') {
      if (tests) continue;
      if (kind === 'js' && /^(?:run|watch|task|check|eval|x)$/.test(word)) continue;
      if (kind === 'js' && word === 'test') tests = true;
      else {
        // A release of the package manager, usually in the repository.
        const isRelease = /\.[cm]?js$/.test(word) && packageManagerOf(word) !== undefined;
        if (isRelease) found.files.push({ word, role: 'settings' });
        if (isRelease || (runnerOf(word) !== undefined && word.includes('/'))) readProgram(found, words, at);
        else found.files.push({ word, role: 'program' });
        return;
      }
    }
  }
}

/** `coverage run -m pytest` and `coverage run script.py`. */
function readCoverageRun(found: CommandFiles, words: readonly string[], at: number): void {
  const module = words.indexOf('-m', at);
  if (module !== -1) {
    const name = words[module + 1] ?? '';
    if (runnerOf(name) !== undefined) readProgram(found, words, module + 1);
    else found.files.push({ word: name, role: 'module' });
    return;
  }
  readOptions(found, words, at);
  const script = words.slice(at + 1).find((word) => word.endsWith('.py') && !word.startsWith('-'));
  if (script !== undefined) found.files.push({ word: script, role: 'program' });
}

function readOptions(
  found: CommandFiles,
  words: readonly string[],
  start: number,
  pattern = SETTINGS_OPTION,
): void {
  for (let at = start + 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) continue;
    const equals = word.indexOf('=');
    const name = equals === -1 ? word : word.slice(0, equals);
    if (!pattern.test(name)) continue;
    const value = equals === -1 ? words[at + 1] : word.slice(equals + 1);
    if (value !== undefined && !value.startsWith('-')) found.files.push({ word: value, role: 'settings' });
  }
}

function readCompared(found: CommandFiles, words: readonly string[]): void {
  const operands = words.filter((word) => !word.startsWith('-'));
  const expected = operands.filter((word) => EXPECTED.test(word));
  for (const word of expected.length > 0 ? expected : operands) found.files.push({ word, role: 'compared' });
}

function readUnknown(found: CommandFiles, words: readonly string[], start: number): void {
  found.opaque = true;
  found.files.push({ word: words[start] ?? '', role: 'program' });
  const known = words.findIndex((word, at) => at > start && runnerOf(word) !== undefined);
  const end = known === -1 ? words.length : known;
  for (const [index, word] of words.slice(start + 1, end).entries()) {
    if (OUTPUT_OPTION.test(words[start + index] ?? '')) continue;
    const value = word.startsWith('-') ? word.slice(word.indexOf('=') + 1) : word;
    if (EXECUTABLE.test(value)) found.files.push({ word: value, role: 'program' });
    else if (EXPECTED.test(value)) found.files.push({ word: value, role: 'compared' });
  }
  if (known !== -1) readProgram(found, words, known);
}
