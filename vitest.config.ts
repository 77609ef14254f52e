import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { memoryFolder } from './test/support/memory-folder.ts';

// *.slow.test.ts: further cases of what other tests cover (more cheats, more honest changes, a kill at every step).
// GUARDKIT_TESTS=all runs them too.
// *.sandbox.test.ts: starts a sandbox, which cannot see the folder in memory that other tests use.
const SLOW = 'test/**/*.slow.test.ts';
const SANDBOX = 'test/**/*.sandbox.test.ts';
const all = process.env.GUARDKIT_TESTS === 'all';
const memory = all ? undefined : memoryFolder();

// Every Node process that finds it reads all the certificates of the machine first, which takes longer than the rest of
// its start. Tests reach nothing outside.
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  define: { __GUARDKIT_VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // One more than there are cores: most tests start further processes and wait for them.
    maxWorkers: availableParallelism() + 1,
    // Files of one project share loaded modules; loading them again costs more than running the tests.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['test/**/*.test.ts'],
          exclude: [SLOW, SANDBOX],
          env: memory === undefined ? {} : { TMPDIR: memory },
        },
      },
      { extends: true, test: { name: 'sandbox', include: [SANDBOX, ...(all ? [SLOW] : [])] } },
    ],
  },
});
