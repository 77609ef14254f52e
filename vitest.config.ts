import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { memoryFolder } from './test/support/memory-folder.ts';

/** Tests that only compute. */
const COMPUTING = [
  'test/domain/**/*.test.ts',
  'test/rules/**/*.test.ts',
  'test/config/**/*.test.ts',
  'test/architecture/{dot,edit,fix,merge,query,render,update,validation}/**/*.test.ts',
  'test/store/search/**/*.test.ts',
  'test/verification/{gates,coverage,coverage-reports,test-reports,test-files,harness}/**/*.test.ts',
  'test/orchestration/{prompts,turns,history,session}/**/*.test.ts',
  'test/learning/{patterns,proposals,metrics}/**/*.test.ts',
];

/**
 * Tests that mostly write a ledger, a store or files of a checkout, and start no sandbox: their folders may lie in memory,
 * where no sandbox could show them. All tests use the disk in a thorough run.
 */
const WRITING = [
  'test/{contracts,enforcement,guards,learning,store}/**/*.test.ts',
  'test/redteam/{attacks-*,forged-from-inside,fuzz,harmless,tampered-ledger}.test.ts',
  'test/interfaces/hooks/**/*.test.ts',
  'test/interfaces/cli/*.test.ts',
  'test/interfaces/cli/{config,feature}/**/*.test.ts',
];

/**
 * Further cases of what the rest covers too: more ways to cheat, more honest changes, a kill at every single step. They
 * are left out so that the usual run stays below five minutes on two cores: GUARDKIT_TESTS=all runs everything.
 */
const THOROUGH = [
  'test/verification/packages/workspaces.test.ts',
  'test/verification/runners/{other-runners,typescript-runners}.test.ts',
  'test/verification/cheats/{attacks-on-guardkit,changed-harness,edited-definitions,forged-reports}.test.ts',
  'test/verification/cheats/{git-tricks,tests-that-lie,vitest-project,python-project}.test.ts',
  'test/verification/cheats/{hidden-product-code,weakened-tests,weakened-other-runners}.test.ts',
  'test/verification/honest/altered-tests.test.ts',
  'test/verification/runners/{cargo-tap,go-tap,python-assertions,python-taps}.test.ts',
  'test/verification/cheats/{persons-environment,planted-programs}.test.ts',
  'test/verification/workspaces/large-trees.test.ts',
  'test/verification/honest/{other-languages,surroundings,harness-and-set-up}.test.ts',
  'test/redteam/{agents-environment,attacks-by-detours,attacks-on-files,candidate-tests,wrapper-attacks}.test.ts',
  'test/verification/bad-input/{hostile-commands,hostile-reports,persons}.test.ts',
  'test/orchestration/feature-build/{kill,cheats,cheats-without-sandbox,stops}.test.ts',
  'test/orchestration/drivers/{agent-driver,claude-driver}.test.ts',
  'test/interfaces/cli/build/{complete,start-afresh}.test.ts',
  'test/interfaces/cli/run/further-runs.test.ts',
  'test/interfaces/cli/verification/base-of-feature.test.ts',
  'test/orchestration/in-agent/committed-features.test.ts',
  'test/interfaces/cli/trial/further-trials.test.ts',
  'test/e2e/{run-killed-often,installed-package,upgrade/upgrade}.test.ts',
  'test/e2e/person/{branches,dev-server,effective-files,git-matrix,in-force,later-terminal,permission-prompt,restore}.test.ts',
];
const thorough = process.env.GUARDKIT_TESTS === 'all';
const leftOut = thorough ? [] : THOROUGH;
const memory = thorough ? undefined : memoryFolder();

// Every Node process that finds it reads all the certificates of the machine first, which takes longer than the rest of
// its start. Tests reach nothing outside.
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  define: { __GUARDKIT_VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // One more than there are cores: most tests start further processes and wait for them.
    maxWorkers: availableParallelism() + 1,
    // Files of one project share what they load, which otherwise costs more than running them.
    projects: [
      {
        extends: true,
        test: {
          name: 'writing',
          include: [...COMPUTING, ...WRITING],
          exclude: leftOut,
          env: memory === undefined ? {} : { TMPDIR: memory },
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'running',
          include: ['test/**/*.test.ts'],
          exclude: [...COMPUTING, ...WRITING, ...leftOut],
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
