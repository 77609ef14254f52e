import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { memoryFolder } from './test/support/memory-folder.ts';
import { RetriedTests } from './test/support/retried-tests.ts';
import { LONG, THOROUGH } from './test/support/test-set.ts';

// *.slow.test.ts: further cases of what other tests cover (more cheats, more honest changes, a kill at every step).
// GUARDKIT_TESTS=all runs them too.
// *.long.test.ts: what lasts too long even for that, such as a run that is killed again and again. GUARDKIT_TESTS=long
// runs them, for commands that select them (package.json).
// *.sandbox.test.ts: starts a sandbox, which cannot see the folder in memory that other tests use (temporary-place.ts).
const SLOW_FILES = 'test/**/*.slow.test.ts';
const LONG_FILES = 'test/**/*.long.test.ts';
const AGENTS = 'test/agents/**';

const USUAL = {
  include: ['test/**/*.test.ts'],
  exclude: [SLOW_FILES, LONG_FILES, AGENTS],
  // All files share loaded modules; loading them again costs more than running the tests.
  isolate: false,
};
// Each in a process of its own. Starting a program copies the page tables of the process that starts it, and a worker
// grows with every file: the red team in the shell wrapper takes twice as long in one that has run a hundred.
const SLOW = { include: LONG ? [SLOW_FILES, LONG_FILES] : [SLOW_FILES], exclude: [AGENTS], isolate: true };

// Every Node process that finds it reads all the certificates of the machine first, which takes longer than the rest of
// its start. Tests reach nothing outside.
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  define: { __GUARDKIT_VERSION__: JSON.stringify('0.0.0-test'), __GUARDKIT_BUILD__: '"test"' },
  test: {
    ...(THOROUGH ? { projects: [project('usual', USUAL), project('slow', SLOW)] } : USUAL),
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/temporary-place.ts'],
    provide: { memoryFolder: memoryFolder() },
    sequence: { sequencer: LongestFirst },
    // One more than there are cores: most tests start further processes and wait for them.
    maxWorkers: availableParallelism() + 1,
    // For the same reason as SLOW: a small worker starts git sooner.
    execArgv: ['--max-semi-space-size=4'],
    // Not the usual second: on a busy machine a process may need longer to start or end.
    expect: { poll: { timeout: 60_000 } },
    // Of the 11,000 tests of the thorough run, one may fail on a busy machine. Those that pass later are listed at the end.
    retry: THOROUGH && !LONG ? 1 : 0,
    reporters: ['default', new RetriedTests()],
    // A test that hangs fails; on a busy machine a build of several turns takes minutes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

function project(name: string, files: typeof USUAL) {
  return { extends: true as const, test: { name, ...files } };
}
