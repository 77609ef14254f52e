import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { __GUARDKIT_VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // As many as there are cores: most tests wait for other processes half of the time.
    maxWorkers: '100%',
    // Loading the sources anew for every file costs as much as running the tests; none of them replaces a module.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
