import type { BuildOptions } from 'esbuild';

/** How sources and the packages they use become one file that Node loads at once: many small ones take twice as long. */
export const ONE_FILE = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  external: ['better-sqlite3', 'pg', '@anthropic-ai/claude-agent-sdk'],
  define: { __GUARDKIT_VERSION__: JSON.stringify('0.0.0-test'), __GUARDKIT_BUILD__: '"test"' },
  // For what of the packages is still written for `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
} as const satisfies BuildOptions;
