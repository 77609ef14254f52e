import { posix } from 'node:path';
import { type DetectedVerify, detected } from './detected-verify.ts';
import { mentions, type ProjectView } from './project-view.ts';

/** Most of these tests have no names that GuardKit can read, so the exit code counts. */
const notes = ['Coverage is not measured: GuardKit supports no coverage tool for this language.'];

/** An option that builds the tests and is off by default. */
const TEST_OPTION = /^[ \t]*option\s*\(\s*(\w*TESTS?(?:ING)?)\s+(?:"[^"\n]*"|\w+)\s+OFF\s*\)/gim;

/** Without CTest's report: it names programs, and has nothing about a test that does not compile on the base. */
export function detectCmake(view: ProjectView): DetectedVerify | undefined {
  if (!view.has('CMakeLists.txt')) return undefined;
  const lists = view.files.filter((path) => /(?:^|\/)CMakeLists\.txt$/.test(path));
  if (!mentions(view, lists, /\b(?:enable_testing|add_test)\s*\(|\binclude\s*\(\s*CTest\b/i))
    return undefined;
  const options = [...(view.text('CMakeLists.txt') ?? '').matchAll(TEST_OPTION)].map(
    (match) => ` -D${match[1]}=ON`,
  );
  const folder = view.files.some((path) => path.startsWith('build/')) ? 'build-tests' : 'build';
  const make = detectMake(view);
  return detected(
    'cmake',
    {
      tests: {
        command: `cmake -S . -B ${folder}${options.join('')} && cmake --build ${folder} && ctest --test-dir ${folder} --output-on-failure --no-tests=error`,
      },
    },
    { notes, alternatives: make ? [make.verify] : [] },
  );
}

export function detectMeson(view: ProjectView): DetectedVerify | undefined {
  const builds = view.files.filter((path) => /(?:^|\/)meson\.build$/.test(path));
  if (!view.has('meson.build') || !mentions(view, builds, /^[ \t]*test[ \t]*\(/m)) return undefined;
  return detected(
    'meson',
    { tests: { command: 'meson setup build && meson test -C build --print-errorlogs' } },
    { notes },
  );
}

export function detectPerl(view: ProjectView): DetectedVerify | undefined {
  if (!view.files.some((path) => /^t\/.*\.t$/.test(path))) return undefined;
  // Modules in C are compiled first.
  const isCompiled = view.has('Makefile.PL') && view.files.some((path) => path.endsWith('.xs'));
  const command = isCompiled ? 'perl Makefile.PL && make && prove -br t' : 'prove -lr t';
  return detected('prove', { tests: { command } }, { notes });
}

export function detectPhp(view: ProjectView): DetectedVerify | undefined {
  const isConfigured = ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'].some(view.has);
  if (!view.has('composer.json') || !isConfigured) return undefined;
  const runner = mentions(view, ['composer.json'], '"pestphp/pest"') ? 'pest' : 'phpunit';
  const report = 'phpunit-junit.xml';
  return detected(
    runner,
    {
      setup: 'composer install --no-interaction --no-progress',
      tests: { command: `vendor/bin/${runner} --log-junit ${report}`, report },
    },
    { notes },
  );
}

export function detectRuby(view: ProjectView): DetectedVerify | undefined {
  const isRuby = view.has('Gemfile') || view.has('Rakefile');
  const hasSpecs = view.files.some((path) => /^spec\/.*_spec\.rb$/.test(path));
  const hasTests = view.files.some((path) => /^test\/.*\.rb$/.test(path));
  if (!isRuby || (!hasSpecs && !(hasTests && view.has('Rakefile')))) return undefined;
  const call = hasSpecs ? 'rspec' : 'rake test';
  if (!view.has('Gemfile')) return detected('ruby', { tests: { command: call } }, { notes });
  return detected(
    'ruby',
    {
      // In the checkout: gems of the system are not writable.
      setup: 'bundle config set --local path vendor/bundle && bundle install',
      tests: { command: `bundle exec ${call}` },
    },
    { notes },
  );
}

export function detectElixir(view: ProjectView): DetectedVerify | undefined {
  if (!view.has('mix.exs')) return undefined;
  const setup = 'mix local.hex --force --if-missing && mix deps.get';
  return detected('mix', { setup, tests: { command: 'mix test' } }, { notes });
}

export function detectDotnet(view: ProjectView): DetectedVerify | undefined {
  const isSolution = view.files.some((path) => /^[^/]+\.(?:slnx?|[cf]sproj)$/.test(path));
  if (!isSolution) return undefined;
  return detected('dotnet', { setup: 'dotnet restore', tests: { command: 'dotnet test' } }, { notes });
}

export function detectDeno(view: ProjectView): DetectedVerify | undefined {
  const config = ['deno.json', 'deno.jsonc'].find(view.has);
  if (config === undefined) return undefined;
  const command = mentions(view, [config], /"test"\s*:/) ? 'deno task test' : 'deno test';
  return detected('deno', { tests: { command } });
}

/** A copy of bats or of a library for it, and what its tests read. */
const NOT_BATS_TESTS = /(?:^|\/)(?:bats(?:-[\w-]+)?|test_helper|libs?|vendor|fixtures?)\//;

/** Scripts with bats, which a Makefile may run; other targets may have more than those. */
export function detectBats(view: ProjectView): DetectedVerify | undefined {
  const tests = view.files.filter((path) => path.endsWith('.bats') && !NOT_BATS_TESTS.test(path));
  const make = detectMake(view);
  if (tests.length === 0 || (make && !mentions(view, MAKEFILES, 'bats'))) return undefined;
  const program = view.files.find((path) => /(?:^|\/)bats(?:-core)?\/bin\/bats$/.test(path)) ?? 'bats';
  const folders = [...new Set(tests.map((path) => posix.dirname(path)))];
  const tops = [...new Set(tests.map((path) => path.slice(0, Math.max(0, path.indexOf('/'))) || '.'))];
  const [only] = folders.length === 1 ? folders : [];
  const where = only ?? `-r ${tops.includes('.') ? '.' : tops.join(' ')}`;
  if (!/^[\w ./-]+$/.test(`${program} ${where}`)) return undefined;
  const report = 'bats-junit.xml';
  // Not with `--report-formatter`: bats does not wait until that report is complete.
  const tested = { command: `${program} --formatter junit ${where} > ${report}`, report };
  return detected('bats', { tests: tested }, { notes, alternatives: make ? [make.verify] : [] });
}

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];

/** A Makefile that has a target for tests, with any tool behind it. */
export function detectMake(view: ProjectView): DetectedVerify | undefined {
  const file = MAKEFILES.find(view.has);
  if (file === undefined) return undefined;
  const targets = [...(view.text(file) ?? '').matchAll(/^([\w./ -][\w./ \t-]*):(?!=)/gm)].flatMap((match) =>
    (match[1] ?? '').split(/\s+/),
  );
  const target = ['test', 'tests', 'check', 'unittest', 'test-all'].find((name) => targets.includes(name));
  if (target === undefined) return undefined;
  const coverage = ['coverage', 'cover', 'cov', 'test-coverage'].find((name) => targets.includes(name));
  return detected(
    'make',
    {
      tests: { command: `make ${target}` },
      ...(coverage === undefined ? {} : { coverage: { command: `make ${coverage}` } }),
    },
    { notes: coverage === undefined ? ['Coverage is not measured: the Makefile has no target for it.'] : [] },
  );
}
