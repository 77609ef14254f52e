import { describe, expect, it } from 'vitest';
import { coverageRunsTests } from '../../../src/verification/runs/join-coverage.ts';

const SCRIPTS = {
  test: 'vitest run',
  checked: 'tsc && vitest run',
  hooked: 'vitest run',
  prehooked: 'tsc',
  cover: 'vitest run --coverage',
};

describe('one run serves tests and coverage', () => {
  it.each([
    ['vitest run', 'vitest run --coverage --coverage.reporter=lcov'],
    ['npm test', 'npx vitest run --coverage --coverage.reporter=lcov'],
    ['npm test', 'npm run cover'],
    ['npm run test', 'npm test -- --coverage'],
    [
      'node --test test/*.test.js',
      'node --test --experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info test/*.test.js',
    ],
    ['npx jest', 'npx jest --coverage --coverageReporters=lcov'],
    ['npx mocha', 'npx c8 --reporter=lcov mocha'],
    ['npx mocha', 'npx c8 -r lcov mocha'],
    ['npm test', 'npx c8 --reporter=lcov npm test'],
    ['corepack pnpm test', 'corepack pnpm test --coverage'],
    ['corepack pnpm test', 'corepack pnpm exec vitest run --coverage --coverage.reporter=lcov'],
    ['pnpm checked', 'pnpm run checked --coverage.enabled --coverage.reporter=lcovonly'],
    ['yarn test', 'yarn vitest run --coverage'],
    ['npx --yes pnpm@9 run test', 'npx --yes pnpm@9 exec vitest run --coverage'],
    ['node .yarn/releases/yarn-4.1.1.cjs test', 'node .yarn/releases/yarn-4.1.1.cjs run cover'],
    ['npm run checked', 'npx c8 --reporter=lcov npm run checked'],
    ['npm run checked', 'npm run checked -- --coverage --coverage.reporter=lcov'],
    [
      'npx lab -a @hapi/code -t 100',
      'npx lab -a @hapi/code -t 100 -c -r console -o stdout -r lcov -o lcov.info',
    ],
    ['pytest', 'pytest --cov --cov-report=xml'],
    ['python -m pytest', 'coverage run -m pytest && coverage json'],
    [
      'PYTHONPATH=src python3 -m unittest discover -s src',
      'PYTHONPATH=src python3 -m coverage run --source=src -m unittest discover -s src && python3 -m coverage xml',
    ],
    [
      'python3 manage.py test',
      'python3 -m coverage run --source=. manage.py test && python3 -m coverage xml',
    ],
    [
      '.venv/bin/python -m pytest',
      '.venv/bin/python -m coverage run --source=. -m pytest && .venv/bin/python -m coverage xml',
    ],
    [
      'uv run --no-sync python -m pytest',
      'uv run --no-sync python -m coverage run -m pytest && uv run --no-sync python -m coverage xml',
    ],
    ['NODE_ENV=test mocha', 'NODE_ENV=test c8 -r lcov mocha'],
    ['npx --no-install tap', 'npx --no-install tap && npx --no-install tap --coverage-report=lcovonly'],
    ['npm test', 'npm test -- --no-disable-coverage --allow-incomplete-coverage --coverage-report=lcovonly'],
    ['go test ./...', 'go test -coverprofile=cover.out ./...'],
    ['go test ./...', 'go test -coverprofile cover.out ./...'],
  ])('%s and %s', (tests, coverage) => {
    expect(coverageRunsTests(tests, coverage, SCRIPTS)).toBe(true);
  });
});

describe('tests and coverage need separate runs', () => {
  it.each([
    ['npm run checked', 'npx vitest run --coverage'],
    ['npm run hooked', 'npx vitest run --coverage'],
    ['vitest run', 'vitest run --coverage test/unit'],
    ['vitest run', 'vitest run --coverage --exclude test/slow'],
    ['vitest run && tsc', 'vitest run --coverage'],
    ['npx jest', 'npx vitest run --coverage'],
    ['NODE_ENV=test mocha', 'NODE_ENV=production c8 -r lcov mocha'],
    ['python3 -m pytest', '.venv/bin/python -m coverage run -m pytest && .venv/bin/python -m coverage xml'],
    ['python3 -m pytest', 'python3 -m coverage run -m pytest && rm -r tests'],
    ['npm run checked', 'npm run checked -- --coverage test/unit'],
    ['corepack pnpm run hooked', 'corepack pnpm exec vitest run --coverage'],
    ['./scripts/npm test', 'npx vitest run --coverage'],
    ['node scripts/tests.js', 'npx vitest run --coverage'],
    ['npx lab', 'npx lab -c -r lcov -o lcov.info test/unit'],
    ['node --test', 'node --test --test-name-pattern=x --experimental-test-coverage'],
  ])('%s and %s', (tests, coverage) => {
    expect(coverageRunsTests(tests, coverage, SCRIPTS)).toBe(false);
  });
});
