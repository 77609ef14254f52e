import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { detectVerify } from '../../src/config/detect-verify.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function project(files: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const NODE = JSON.stringify({ scripts: { test: 'vitest run' } });

it.each<[string, Record<string, string>, string, string | undefined]>([
  ['npm', { 'package.json': NODE, 'package-lock.json': '{}' }, 'npm test', 'npm ci'],
  ['npm', { 'package.json': NODE }, 'npm test', 'npm install'],
  ['pnpm', { 'package.json': NODE, 'pnpm-lock.yaml': '' }, 'pnpm test', 'pnpm install --frozen-lockfile'],
  ['yarn', { 'package.json': NODE, 'yarn.lock': '' }, 'yarn test', 'yarn install --frozen-lockfile'],
  [
    'yarn',
    { 'package.json': NODE, 'yarn.lock': '', '.yarnrc.yml': '' },
    'yarn test',
    'yarn install --immutable',
  ],
  ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]' }, 'python3 -m pytest', undefined],
  ['pytest', { 'conftest.py': '', 'uv.lock': '' }, 'uv run python -m pytest', 'uv sync'],
  [
    'pytest',
    { 'conftest.py': '', 'requirements.txt': 'pytest' },
    '.venv/bin/python -m pytest',
    'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt',
  ],
  ['go', { 'go.mod': 'module x' }, 'go test ./...', 'go mod download'],
  ['cargo', { 'Cargo.toml': '[package]' }, 'cargo test', 'cargo fetch'],
  ['maven', { 'pom.xml': '<project/>', mvnw: '' }, './mvnw -B test', undefined],
])('a %s project with %j is tested by %s', (kind, files, tests, setup) => {
  const found = detectVerify(project(files));
  expect(found?.kind).toBe(kind);
  expect(found?.verify.tests?.command).toBe(tests);
  expect(found?.verify.setup).toBe(setup);
});

it.each([
  ['an empty folder', {}],
  [
    'npm’s placeholder',
    { 'package.json': JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }) },
  ],
  ['a package.json that is not JSON', { 'package.json': '{' }],
])('nothing is made up for %s', (_what, files) => {
  expect(detectVerify(project(files as Record<string, string>))).toBeUndefined();
});

const packageWith = (more: object, test = 'vitest run') => ({
  'package.json': JSON.stringify({ scripts: { test }, ...more }),
});

it.each<[string, Record<string, string>, { command: string; report?: string } | undefined]>([
  [
    'its own script',
    { 'package.json': JSON.stringify({ scripts: { test: 'x', coverage: 'c8 x' } }) },
    { command: 'npm run coverage' },
  ],
  [
    'vitest, where it can measure',
    packageWith({ devDependencies: { vitest: '4', '@vitest/coverage-v8': '4' } }),
    {
      command: 'npx --no-install vitest run --coverage --coverage.reporter=lcov',
      report: 'coverage/lcov.info',
    },
  ],
  ['nothing, where vitest cannot measure', packageWith({ devDependencies: { vitest: '4' } }), undefined],
  [
    'jest',
    packageWith({ devDependencies: { jest: '30' } }, 'jest'),
    {
      command: 'npx --no-install jest --coverage --coverageReporters=lcov',
      report: 'coverage/lcov.info',
    },
  ],
  [
    'node itself',
    packageWith({}, 'node --test test/'),
    {
      command:
        'node --test --experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info test/',
      report: 'lcov.info',
    },
  ],
  ['nothing, where node’s tests are part of a chain', packageWith({}, 'node --test && echo ok'), undefined],
  [
    'pytest-cov',
    { 'pyproject.toml': 'pytest pytest-cov' },
    { command: 'python3 -m pytest --cov --cov-report=xml', report: 'coverage.xml' },
  ],
  ['go', { 'go.mod': '' }, { command: 'go test -coverprofile=cover.out ./...', report: 'cover.out' }],
])('coverage is measured by %s', (_what, files, coverage) => {
  expect(detectVerify(project(files))?.verify.coverage).toEqual(coverage);
});
