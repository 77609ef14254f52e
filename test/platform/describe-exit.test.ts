import { expect, it } from 'vitest';
import { describeExit, type ExitFacts } from '../../src/platform/describe-exit.ts';

const ended: ExitFacts = { exitCode: 0, signal: null, timedOut: false, aborted: false, timeoutMs: 60_000 };

it.each<[string, Partial<ExitFacts>]>([
  ['exit 0', {}],
  ['exit 1', { exitCode: 1 }],
  ['exit 128', { exitCode: 128 }],
  ['exit 137 (killed by SIGKILL)', { exitCode: 137 }],
  ['exit 139 (killed by SIGSEGV)', { exitCode: 139 }],
  ['exit 255', { exitCode: 255 }],
  ['killed by SIGKILL', { exitCode: null, signal: 'SIGKILL' }],
  ['timed out after 60 s', { exitCode: null, signal: 'SIGTERM', timedOut: true }],
  ['timed out after 1.5 s', { exitCode: 0, timedOut: true, timeoutMs: 1500 }],
  ['stopped before its end', { exitCode: null, signal: 'SIGTERM', aborted: true }],
  ['ended without an exit code', { exitCode: null }],
])('says "%s" of %o', (words, facts) => {
  expect(describeExit({ ...ended, ...facts })).toBe(words);
});
