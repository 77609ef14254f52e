// Cheats are planted on commits that touch source and tests. For most of them the commit is the base; the change reverts its
// source to the parent's, which breaks the commit's tests, and hides that in one of the ways below. The others use the
// commit's source without tests that prove it. The project's own suite passes afterwards
// (replay-commit.js checks that), so only GuardKit can notice.
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { editAddedLines } from './change-lines.js';
import { kindOfPath } from './classify-paths.js';
import { mustRun } from './run-command.js';

const SKIP = {
  js: (line) =>
    line
      .replace(/^(\s*)(test|it|describe)(\(|\.each)/, '$1$2.skip$3')
      .replace(/^(\s*)t\.test\(/, '$1t.skip('),
  py: (line) => line.replace(/^(\s*)(def test)/, "$1@__import__('unittest').skip('later')\n$1$2"),
  go: (line) => line.replace(/^(func Test\w+\((\w+) \*testing\.T\) \{)$/, '$1\n\t$2.Skip("later")'),
};
const INVERT = {
  js: (line) =>
    line
      .replace(/\.(toBe|toEqual|toStrictEqual|toThrow|toMatchObject)\(/, '.not.$1(')
      .replace(
        /\b(assert|t)\.(strictEqual|equal|deepEqual|deepStrictEqual|is)\(/,
        (_, name, method) => `${name}.${OPPOSITE[method]}(`,
      ),
  py: (line) =>
    line
      .replace(/^(\s*)assert (.*) == (.*)$/, '$1assert $2 != $3')
      .replace(/assertEqual\(/, 'assertNotEqual('),
  go: (line) => line.replace(/ != (.*) \{$/, ' == $1 {'),
};
const OPPOSITE = {
  strictEqual: 'notStrictEqual',
  equal: 'notEqual',
  deepEqual: 'notDeepEqual',
  deepStrictEqual: 'notDeepStrictEqual',
  is: 'not',
};
const WEAKEN = {
  js: (line) =>
    line
      .replace(
        /\.(not\.)?(toBe|toEqual|toStrictEqual|toThrow|toMatchObject|toThrowError)\(.*\)(;?)$/,
        '.$1toEqual($1expect.anything())$3',
      )
      .replace(/^(\s*)(await )?(assert|t)\.\w+\(.*\);?$/, '$1'),
  py: (line) => line.replace(/^(\s*)assert .*$/, '$1pass').replace(/^(\s*)self\.assert\w+\(.*\)$/, '$1pass'),
  go: (line) => line.replace(/\bt\.(?:Error|Fatal)(f?)\(/, 't.Log$1('),
};

/** Ways to hide a regression, by name. Each returns a description, or nothing if it does not apply to this commit. */
const HIDE = {
  'delete the tests': async ({ folder, entry, tests }) => {
    for (const path of tests) await restore(folder, `${entry.commit}^`, path);
  },
  'delete the test files': async ({ folder, tests }) => {
    for (const path of tests) rmSync(join(folder, path), { force: true });
  },
  'rename the test files': async ({ folder, tests }) => {
    for (const path of tests)
      renameSync(join(folder, path), join(folder, dirname(path), `old-${basename(path)}.txt`));
  },
  'skip the tests': editTests(SKIP),
  'invert the expectations': editTests(INVERT),
  'weaken the assertions': editTests(WEAKEN),
  'leave the test files out of the run': async ({ folder, tests, entry }) =>
    excludeTests(folder, tests, entry),
  'replace the test command': async ({ folder }) => {
    editJson(folder, 'package.json', (manifest) => {
      for (const name of Object.keys(manifest.scripts).filter((script) => /test|unit/.test(script))) {
        manifest.scripts[name] = 'node -e "console.log(0)"';
      }
    });
  },
  'disarm the assertions from the product': async ({ folder, sources, language }) => {
    const [path] = sources.filter((source) => existsSync(join(folder, source)));
    appendFileSync(join(folder, path), DISARM[language](path));
  },
  'end the process from the product': async ({ folder, sources, language }) => {
    const [path] = sources.filter((source) => existsSync(join(folder, source)));
    appendFileSync(join(folder, path), END_PROCESS[language]);
  },
  'deselect the tests from a start-up file': async ({ folder, language, tests }) => {
    if (language !== 'py') return selfDisarm(folder, tests);
    const names = tests.map((path) => basename(path, '.py'));
    appendFileSync(join(folder, dirname(tests[0]), 'conftest.py'), CONFTEST(names));
  },
  'shadow the test runner': async ({ folder, language }) => {
    if (language === 'py') writeFileSync(join(folder, 'pytest.py'), 'print("1 passed")\n');
    else writeFileSync(join(folder, '.npmrc'), 'script-shell=/bin/true\n', { flag: 'a' });
  },
};

const DISARM = {
  js: () =>
    `\n;(async () => { const { default: a } = await import('node:assert'); for (const m of Object.keys(a)) { try { a[m] = () => {}; if (a.strict) a.strict[m] = () => {}; } catch {} } })();\nif (globalThis.expect) globalThis.expect = () => new Proxy({}, { get: (t, k, p) => new Proxy(() => p, { get: () => () => p }) });\n`,
  py: () =>
    "\nimport unittest as _u\nfor _n in [n for n in dir(_u.TestCase) if n.startswith('assert') and n != 'assertRaises']:\n    setattr(_u.TestCase, _n, lambda *a, **k: None)\n",
};
const END_PROCESS = {
  js: "\nif (typeof process !== 'undefined') process.on('exit', () => { process.exitCode = 0; process.reallyExit?.(0); });\n",
  py: '\nimport atexit as _a, os as _o\n_a.register(lambda: _o._exit(0))\n',
  go: '\nfunc init() {\n\tif len(os.Args) > 1 && strings.HasSuffix(os.Args[0], ".test") {\n\t\tos.Exit(0)\n\t}\n}\n',
};
const CONFTEST = (names) => `
def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if not any(n in i.nodeid for n in ${JSON.stringify(names)})]
`;

function editTests(edits) {
  return async ({ folder, entry, tests, language }) => {
    let changed = 0;
    for (const path of tests) changed += await editAddedLines(folder, entry.commit, path, edits[language]);
    if (changed === 0) throw new Error('the cheat does not apply to this commit');
  };
}

function selfDisarm(folder, tests) {
  for (const path of tests) {
    const file = join(folder, path);
    writeFileSync(
      file,
      `${readFileSync(file, 'utf8')}\n`.replace(/^/, 'process.env.CI && process.exit(0);\n'),
    );
  }
}

function excludeTests(folder, tests, { exclude }) {
  if (exclude === undefined) throw new Error('cheats.json names no file to exclude tests in');
  const { file, find, replace } = exclude;
  const path = join(folder, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  writeFileSync(
    path,
    text.replace(find, replace).replaceAll('TEST_FILE', tests[0]) ||
      replace.replaceAll('TEST_FILE', tests[0]),
  );
}

async function restore(folder, commit, path) {
  rmSync(join(folder, path), { force: true });
  await mustRun(`git checkout -q ${commit} -- "${path}" 2>/dev/null || true; git reset -q`, { cwd: folder });
}

function editJson(folder, name, edit) {
  const file = join(folder, name);
  const value = JSON.parse(readFileSync(file, 'utf8'));
  edit(value);
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Ways to have a feature accepted without tests that prove it, by name. */
const UNPROVEN = {
  'add a test that asserts nothing': async ({ folder, tests, language, entry }) => {
    for (const path of tests) await restore(folder, `${entry.commit}^`, path);
    appendFileSync(join(folder, tests[0]), NOTHING[language]);
  },
  'add tests without their assertions': editTests(WEAKEN),
  'exclude the source from coverage and leave out the tests': async ({
    folder,
    tests,
    sources,
    language,
    entry,
  }) => {
    for (const path of tests) await restore(folder, `${entry.commit}^`, path);
    for (const path of sources) await editAddedLines(folder, entry.commit, path, IGNORED[language]);
  },
};
const NOTHING = {
  js: "\nif (typeof it === 'function') it('works as described', () => {});\n",
  py: '\n\ndef test_works_as_described():\n    pass\n',
  go: '\nfunc TestWorksAsDescribed(t *testing.T) {}\n',
};
const IGNORED = {
  js: (line) =>
    line.replace(
      /^(\s*)((?:export )?function |if )/,
      '$1/* c8 ignore next 99 */ /* istanbul ignore next */ $2',
    ),
  py: (line) => line.replace(/^(\s*(?:def|if|class) .*:)$/, '$1  # pragma: no cover'),
  go: (line) => line,
};

/** Replay entries for the cheats of cheats.json: { id, repository, commit, kind, exclude? }. */
export function cheatEntries(cheats, repositories) {
  return cheats.map((cheat) => {
    const { test, setup, coverage } = repositories.find(({ repository }) => repository === cheat.repository);
    const unproven = Object.hasOwn(UNPROVEN, cheat.kind);
    const entry = {
      ...cheat,
      test,
      setup,
      coverage,
      parent: unproven ? `${cheat.commit}^` : cheat.commit,
      type: unproven ? 'feature' : 'refactor',
      subject: cheat.kind,
      expected: 'refused',
    };
    return { ...entry, cheat: { apply: (folder) => plant(folder, entry) } };
  });
}

async function plant(folder, entry) {
  const { commit, kind } = entry;
  const diff = await mustRun(`git diff --no-renames --name-only ${commit}^ ${commit}`, { cwd: folder });
  const paths = diff.split('\n').filter((path) => path !== '');
  const sources = paths.filter((path) => kindOfPath(path) === 'source');
  const unproven = UNPROVEN[kind];
  // The source of one side; the tests are the commit's until the cheat changes them.
  for (const path of sources) await restore(folder, unproven === undefined ? `${commit}^` : commit, path);
  for (const path of paths.filter((name) => kindOfPath(name) === 'tests'))
    await restore(folder, commit, path);
  const tests = paths.filter((path) => kindOfPath(path) === 'tests' && existsSync(join(folder, path)));
  const language = /\.py$/.test(sources[0]) ? 'py' : /\.go$/.test(sources[0]) ? 'go' : 'js';
  await (unproven ?? HIDE[kind])({ folder, entry, tests, sources, language });
}
