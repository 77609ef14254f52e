import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { VerifyConfig } from './verify-config.ts';

export interface DetectedVerify {
  /** What it was recognised by. */
  kind: string;
  verify: VerifyConfig;
}

const names = z.record(z.string(), z.string()).optional();
const packageSchema = z.object({ scripts: names, dependencies: names, devDependencies: names });

/** What npm writes into a new package; it fails, and tests nothing. */
const PLACEHOLDER = /no test specified/;

/** How a project is set up and tested, as far as its files tell. A person confirms it. */
export function detectVerify(root: string): DetectedVerify | undefined {
  const has = (file: string) => existsSync(join(root, file));
  // A package.json without tests may only hold tools of a project in another language.
  const node = has('package.json') ? detectNode(root, has) : undefined;
  if (node) return node;
  if (
    ['pytest.ini', 'conftest.py', 'tests/conftest.py'].some(has) ||
    mentions(root, 'pyproject.toml', 'pytest')
  ) {
    return detectPytest(root, has);
  }
  if (has('go.mod'))
    return {
      kind: 'go',
      verify: {
        setup: 'go mod download',
        tests: { command: 'go test ./...' },
        coverage: { command: 'go test -coverprofile=cover.out ./...', report: 'cover.out' },
      },
    };
  if (has('Cargo.toml'))
    return { kind: 'cargo', verify: { setup: 'cargo fetch', tests: { command: 'cargo test' } } };
  if (has('pom.xml')) {
    const maven = has('mvnw') ? './mvnw' : 'mvn';
    return {
      kind: 'maven',
      verify: { tests: { command: `${maven} -B test`, report: 'target/surefire-reports' } },
    };
  }
  return undefined;
}

/** What a project needs goes into an environment of its own: the system's is not GuardKit's to change. */
function detectPytest(root: string, has: (file: string) => boolean): DetectedVerify {
  const [setup, python] = has('uv.lock')
    ? ['uv sync', 'uv run python']
    : has('requirements.txt')
      ? ['python3 -m venv .venv && .venv/bin/pip install -r requirements.txt', '.venv/bin/python']
      : [undefined, 'python3'];
  const files = ['pyproject.toml', 'requirements.txt', 'requirements-dev.txt', 'uv.lock', 'setup.cfg'];
  const measured = files.some((file) => mentions(root, file, 'pytest-cov'));
  const coverage = { command: `${python} -m pytest --cov --cov-report=xml`, report: 'coverage.xml' };
  return {
    kind: 'pytest',
    verify: {
      ...(setup === undefined ? {} : { setup }),
      tests: { command: `${python} -m pytest` },
      ...(measured ? { coverage } : {}),
    },
  };
}

function detectNode(root: string, has: (file: string) => boolean): DetectedVerify | undefined {
  const { scripts = {}, dependencies, devDependencies } = readPackage(root);
  if (scripts.test === undefined || PLACEHOLDER.test(scripts.test)) return undefined;
  const [kind, setup] = has('pnpm-lock.yaml')
    ? ['pnpm', 'pnpm install --frozen-lockfile']
    : has('yarn.lock')
      ? ['yarn', has('.yarnrc.yml') ? 'yarn install --immutable' : 'yarn install --frozen-lockfile']
      : ['npm', has('package-lock.json') ? 'npm ci' : 'npm install'];
  return {
    kind,
    verify: {
      setup,
      tests: { command: `${kind} test` },
      ...nodeCoverage(kind, scripts, new Set(Object.keys({ ...dependencies, ...devDependencies }))),
    },
  };
}

/** The project's own script, or what its runner can do by itself; never another tool than those it has. */
function nodeCoverage(
  manager: string,
  scripts: Readonly<Record<string, string>>,
  packages: ReadonlySet<string>,
): Pick<VerifyConfig, 'coverage'> {
  const own = ['coverage', 'test:coverage'].find((name) => scripts[name] !== undefined);
  if (own !== undefined) return { coverage: { command: `${manager} run ${own}` } };
  const run = manager === 'npm' ? 'npx --no-install' : `${manager} exec`;
  const report = 'coverage/lcov.info';
  if (packages.has('vitest') && ['v8', 'istanbul'].some((tool) => packages.has(`@vitest/coverage-${tool}`)))
    return { coverage: { command: `${run} vitest run --coverage --coverage.reporter=lcov`, report } };
  if (packages.has('jest'))
    return { coverage: { command: `${run} jest --coverage --coverageReporters=lcov`, report } };
  const test = scripts.test ?? '';
  if (/^node --test(?= |$)/.test(test) && !/[;&|]/.test(test)) {
    const reporter =
      '--experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info';
    return {
      coverage: { command: test.replace('node --test', `node --test ${reporter}`), report: 'lcov.info' },
    };
  }
  return {};
}

function readPackage(root: string): z.infer<typeof packageSchema> {
  try {
    return packageSchema.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  } catch {
    // Safe: a package.json that cannot be read tells nothing, and the person is shown that nothing was found.
    return {};
  }
}

function mentions(root: string, file: string, word: string): boolean {
  try {
    return readFileSync(join(root, file), 'utf8').includes(word);
  } catch {
    // Safe: a file that cannot be read tells nothing, and the person is shown that nothing was found.
    return false;
  }
}
