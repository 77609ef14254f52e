import { defineConfig } from 'vitest/config';

// Tests with the real programs of other agents, which are large and installed on first use: `npm run test:agents`.
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  define: { __GUARDKIT_VERSION__: JSON.stringify('0.0.0-test'), __GUARDKIT_BUILD__: '"test"' },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/agents/**/*.agents.test.ts'],
    maxWorkers: 2,
    // Not the usual second: on a busy machine a process may need longer to start or end.
    expect: { poll: { timeout: 60_000 } },
    // A build starts an agent ten times and verifies four times; on a busy machine that takes minutes.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
