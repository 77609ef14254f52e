import { expect, it } from 'vitest';
import { describeExit, type ProcessExit } from '../../../src/platform/processes/process-failures.ts';

const ended: ProcessExit = { exitCode: 0, signal: null, timedOut: false, aborted: false, timeoutMs: 60_000 };

it.each<[RegExp, Partial<ProcessExit>]>([
  [/^\D*\b0$/, {}],
  [/^\D*\b1$/, { exitCode: 1 }],
  [/^\D*\b128$/, { exitCode: 128 }],
  [/^\D*\b137\b\D*\bSIGKILL\b/, { exitCode: 137 }],
  [/^\D*\b139\b\D*\bSIGSEGV\b/, { exitCode: 139 }],
  [/^\D*\b255$/, { exitCode: 255 }],
  [/^\D*\bSIGKILL$/, { exitCode: null, signal: 'SIGKILL' }],
  [/^\D*\b60 s$/, { exitCode: null, signal: 'SIGTERM', timedOut: true }],
  [/^\D*\b1\.5 s$/, { exitCode: 0, timedOut: true, timeoutMs: 1500 }],
  [/^(?!.*SIGTERM)\D+$/, { exitCode: null, signal: 'SIGTERM', aborted: true }],
  [/^\D+$/, { exitCode: null }],
])('%s describes %o', (told, facts) => {
  expect(describeExit({ ...ended, ...facts })).toMatch(told);
});
