import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that only compute. They share what they load, which otherwise costs more than running them. */
const COMPUTING = [
  'test/domain/**/*.test.ts',
  'test/rules/**/*.test.ts',
  'test/config/**/*.test.ts',
  'test/store/search/**/*.test.ts',
  'test/verification/{gates,coverage,coverage-reports,test-reports,test-files,harness}/**/*.test.ts',
  'test/orchestration/{prompts,turns,history}/**/*.test.ts',
];

export default defineConfig({
  define: { __GUARDKIT_VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // More than there are cores: most tests wait for other processes half of the time.
    maxWorkers: availableParallelism() * 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'computing',
          include: COMPUTING,
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        // Starting a process takes longer the more its parent holds, so these do not share what they load.
        test: {
          name: 'running',
          include: ['test/**/*.test.ts'],
          exclude: COMPUTING,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
