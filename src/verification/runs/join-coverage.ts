import { packageManagerOf } from '../harness/package-scripts.ts';

/** Options of test runners that only add coverage to a run. */
const COVERAGE_OPTIONS = [
  /^--coverage(?:$|[.=])/,
  /^--coverage[A-Z]\w+(?:$|=)/,
  /^--(?:coverage-report=|no-disable-coverage$|allow-incomplete-coverage$)/,
  /^--experimental-test-coverage$/,
  /^--test-coverage-[\w-]+(?:$|=)/,
  /^--test-reporter(?:-destination)?=/,
  /^--cov(?:$|[=-])/,
  /^-cover(?:profile|mode|pkg)?(?:$|=)/,
  /^--collectCoverageFrom(?:$|=)/,
];
const WITH_VALUE =
  /^(?:-cover(?:profile|mode|pkg)|--coverage(?:Reporters|Directory|Provider)|--cov-report|--cov-config)$/;
/** Programs that run another command and measure it. */
const MEASURING = new Set(['c8', 'nyc']);
const STARTERS = /^(?:npx|pnpx|bunx)$/;

/**
 * Whether the coverage command is the test command plus coverage, so that one run serves both. Scripts come from
 * package.json; only a script with a single plain command is followed.
 */
export function coverageRunsTests(
  tests: string,
  coverage: string,
  scripts: Readonly<Record<string, unknown>> = {},
): boolean {
  const plain = normalWords(tests, scripts);
  const measured = normalWords(withoutReport(coverage), scripts);
  if (plain === undefined || measured === undefined || plain.length === 0) return false;
  // The measured command may be a script again.
  const inner = normalWords(withoutCoverage(measured).join(' '), scripts);
  return inner !== undefined && withoutCoverage(plain).join('\0') === withoutCoverage(inner).join('\0');
}

/** `coverage run -m pytest && coverage json` writes its report in a second step, and so does node-tap before 18. */
function withoutReport(command: string): string {
  return command
    .replace(
      /\s*&&\s*(?:(?:uv run --no-sync )?[\w./-]*python3? -m )?coverage (?:json|xml|lcov)(?:\s+[\w./=-]+)*\s*$/,
      '',
    )
    .replace(/\s*&&\s*(?:npx(?: --no-install)? |pnpm exec |yarn )?tap --coverage-report=\w+\s*$/, '');
}

/** The words of a command; undefined if a shell would do more than start one program. */
function normalWords(
  command: string,
  scripts: Readonly<Record<string, unknown>>,
  depth = 0,
): string[] | undefined {
  if (/[;&|<>`$(){}\\\n"']/.test(command) || depth > 3) return undefined;
  const words = withPlainManager(command.trim().split(/\s+/));
  if (/^(?:pnpm|yarn)$/.test(words[0] ?? '') && words[1] === 'exec') return words.slice(2);
  const script = scriptName(words);
  if (script !== undefined) {
    const text = scripts[script.name];
    // `yarn jest`: the package's program.
    if (text === undefined && /^(?:pnpm|yarn)$/.test(words[0] ?? '') && words[1] !== 'run')
      return words.slice(1);
    const surrounded = [`pre${script.name}`, `post${script.name}`].some(
      (name) => scripts[name] !== undefined,
    );
    const inner = typeof text !== 'string' || surrounded ? undefined : normalWords(text, scripts, depth + 1);
    // `pnpm test` and `pnpm run test` are the same.
    return [...(inner ?? [words[0] ?? '', 'run', script.name]), ...script.rest];
  }
  if (STARTERS.test(words[0] ?? ''))
    return words.slice(1).filter((word, at) => at > 0 || !word.startsWith('--'));
  const first = (words[0] ?? '').replace(/^(?:\.\/)?node_modules\/\.bin\//, '');
  return [first, ...words.slice(1)];
}

/** `corepack pnpm test`, `npx --yes pnpm@9 test` and `node .yarn/releases/yarn-4.1.1.cjs test` start a manager as well. */
function withPlainManager(words: readonly string[]): string[] {
  if (!/^(?:corepack|node|npx|pnpx|bunx)$/.test(words[0] ?? '')) return [...words];
  const at = words.findIndex((word, index) => index > 0 && !word.startsWith('-'));
  const manager = packageManagerOf(words[at] ?? '');
  return manager === undefined ? [...words] : [manager, ...words.slice(at + 1)];
}

function scriptName(words: readonly string[]): { name: string; rest: string[] } | undefined {
  const [manager = '', second = '', third = ''] = words;
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(manager)) return undefined;
  const isRun = second === 'run';
  const name = second === 't' || second === 'tst' ? 'test' : isRun ? third : second;
  if (name === '' || name.startsWith('-') || (manager === 'npm' && !isRun && name !== 'test'))
    return undefined;
  const rest = words.slice(isRun ? 3 : 2);
  return { name, rest: rest[0] === '--' ? rest.slice(1) : rest };
}

function withoutCoverage(words: readonly string[]): string[] {
  // Variables before a command, such as `PYTHONPATH=src python3 …`, have to be the same in both.
  const start = words.findIndex((word) => word !== 'cross-env' && !/^[A-Za-z_]\w*=/.test(word));
  const plain = words.slice(0, Math.max(start, 0));
  let rest = words.slice(plain.length);
  if (MEASURING.has(rest[0] ?? '')) {
    rest = rest.slice(1);
    while (rest[0]?.startsWith('-')) rest = rest.slice(rest[0].includes('=') || !isValue(rest[1]) ? 1 : 2);
  }
  rest = withoutCoverageRun(rest);
  if (/^python3?$/.test(rest[0] ?? '') && rest[1] === '-m') rest = rest.slice(2);
  if (rest[0] === 'lab') rest = withoutOutputs(rest);
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (!COVERAGE_OPTIONS.some((option) => option.test(word))) plain.push(word);
    else if (WITH_VALUE.test(word) && isValue(rest[at + 1])) at += 1;
  }
  // It only separated a script's options.
  return plain.at(-1) === '--' ? plain.slice(0, -1) : plain;
}

/** `python3 -m coverage run --source=shop -m pytest` runs `python3 -m pytest`. */
function withoutCoverageRun(words: readonly string[]): string[] {
  const at = words.findIndex(
    (word, index) =>
      word === 'coverage' && words[index + 1] === 'run' && (index === 0 || words[index - 1] === '-m'),
  );
  if (at < 0) return [...words];
  let inner = words.slice(at + 2);
  while (inner[0]?.startsWith('--')) inner = inner.slice(1);
  const before = words.slice(0, Math.max(at - 1, 0));
  return before.length === 0 && inner[0] === '-m' ? inner.slice(1) : [...before, ...inner];
}

/** Lab's own coverage is an option, and its report one of several outputs. */
function withoutOutputs(words: readonly string[]): string[] {
  return words.filter((word, at) => !/^-[cro]$/.test(word) && !/^-[ro]$/.test(words[at - 1] ?? ''));
}

/** `c8 -r lcov node`: a reporter's name, never a program. */
function isValue(word: string | undefined): boolean {
  return (
    word !== undefined &&
    /^(?:lcov(?:only)?|json|text|html|cobertura|xml|clover|atomic|count|set|v8|istanbul|[\w./-]+\.(?:out|info|json|xml|txt))$/.test(
      word,
    )
  );
}
