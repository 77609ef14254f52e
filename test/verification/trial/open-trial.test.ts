import { describe, expect, it } from 'vitest';
import { isWorth, withoutStaleLock } from '../../../src/verification/trial/open-trial.ts';

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
