import { describe, expect, it } from 'vitest';
import { bestTrial, isWorth, withoutStaleLock } from '../../../src/verification/trial/open-trial.ts';

const trialOf = (command: string, exit: number, tail: string) => ({
  verify: { setup: command, tests: { command: 'x test' } },
  setup: { command, durationMs: 1, exit, timedOut: false, tail },
});

describe('after an installation that failed for a stale lock file', () => {
  it.each([
    [
      'npm ci',
      '`npm ci` can only install packages when your package.json and package-lock.json are in sync.',
      'npm install --no-save',
    ],
    ['cd web && npm ci', 'npm error Run "npm help ci" for more info', 'cd web && npm install --no-save'],
    [
      'corepack pnpm install --frozen-lockfile',
      ' ERR_PNPM_LOCKFILE_CONFIG_MISMATCH  Cannot proceed with the frozen installation.',
      'corepack pnpm install --no-frozen-lockfile',
    ],
    [
      'npx --yes pnpm@9.1.0 install --frozen-lockfile',
      ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"',
      'npx --yes pnpm@9.1.0 install --no-frozen-lockfile',
    ],
    [
      'yarn install --frozen-lockfile',
      'error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.',
      'yarn install --pure-lockfile',
    ],
    [
      'node .yarn/releases/yarn-4.1.1.cjs install --immutable',
      '➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.',
      'node .yarn/releases/yarn-4.1.1.cjs install --no-immutable',
    ],
    [
      'bun install --frozen-lockfile',
      'error: lockfile had changes, but lockfile is frozen',
      'bun install --no-save',
    ],
  ])('%s is replaced, for the next commands too', (setup, tail, looser) => {
    const next = [{ setup, tests: { command: 'x build && x test' } }];
    expect(withoutStaleLock(trialOf(setup, 1, tail), next)).toEqual([
      { setup: looser, tests: { command: 'x test' } },
      { setup: looser, tests: { command: 'x build && x test' } },
    ]);
  });

  it.each([
    ['another failure', trialOf('npm ci', 1, 'npm error code ENOTFOUND')],
    ['an installation that worked', trialOf('npm ci', 0, 'Run "npm help ci" for more info')],
    ['no installation', { verify: { tests: { command: 'x test' } } }],
    ['an unknown command', trialOf('./install.sh', 1, 'ERR_PNPM_OUTDATED_LOCKFILE')],
  ])('%s changes nothing', (_name, trial) => {
    const next = [{ setup: 'npm ci', tests: { command: 'y' } }];
    expect(withoutStaleLock(trial, next)).toEqual(next);
  });
});

it('after a set-up that failed, only commands with another set-up are tried', () => {
  const failed = trialOf('npm ci', 1, 'npm error code E404');
  const tests = { command: 'x build && x test' };
  expect(isWorth({ setup: 'npm ci', tests }, [failed])).toBe(false);
  expect(isWorth({ setup: { command: 'npm ci', timeout: 60 }, tests }, [failed])).toBe(false);
  expect(isWorth({ setup: 'npm ci --ignore-scripts', tests }, [failed])).toBe(true);
  expect(isWorth({ tests }, [failed])).toBe(true);
  expect(isWorth({ setup: 'npm ci', tests }, [trialOf('npm ci', 0, '')])).toBe(true);
});

it('a package manager comes through npx only if corepack itself failed', () => {
  const instead = { setup: 'npx --yes pnpm@9.1.1 install', tests: { command: 'x test' } };
  const after = (exit: number, tail: string) =>
    isWorth(instead, [
      { ...trialOf('corepack pnpm install', exit, tail), tests: undefined, coverage: undefined },
    ]);
  expect(after(1, 'Error: No compatible signature found\n    at x (/usr/lib/corepack.cjs:21999:63)')).toBe(
    true,
  );
  expect(after(1, ' ERR_PNPM_FETCH_404  GET https://registry.npmjs.org/none')).toBe(false);
  expect(after(0, '')).toBe(false);
});

describe('the best trial', () => {
  const trial = (name: string, passed: number, failed: number, { timedOut = false, exit = 1 } = {}) => ({
    name,
    tests: {
      command: 'x test',
      durationMs: 1,
      exit: timedOut ? null : exit,
      timedOut,
      tail: '',
      passed,
      failed,
      skipped: 0,
      failedNames: [],
      runners: [],
    },
    coverage: undefined,
  });

  it('is the first of equals', () => {
    expect(bestTrial([trial('a', 3, 1), trial('b', 9, 1)])?.name).toBe('a');
  });

  it('is one whose tests ran out of time before one whose tests failed', () => {
    const unfinished = trial('b', 5, 0, { timedOut: true });
    expect(bestTrial([trial('a', 3, 1), unfinished])?.name).toBe('b');
    const unstarted = trial('b', 0, 0, { timedOut: true });
    expect(bestTrial([trial('a', 0, 4), unstarted])?.name).toBe('b');
    expect(bestTrial([trial('a', 3, 1), unstarted])?.name).toBe('a');
  });

  it('is one whose tests pass before one whose tests ran out of time', () => {
    expect(bestTrial([trial('a', 5, 0, { timedOut: true }), trial('b', 3, 0, { exit: 0 })])?.name).toBe('b');
  });
});
