import { join } from 'node:path';
import { npmPackages } from '../support/npm-packages.ts';

/** The versions that the adapters were written for. Raise one here, then run `npm run test:agents`. */
export const AGENT_PACKAGES = {
  codex: '@openai/codex@0.166.0',
  copilot: '@github/copilot@1.0.102',
  gemini: '@google/gemini-cli@0.61.0',
  opencode: 'opencode-ai@1.18.18',
  // Needs Node 22, which is then beside it on the PATH.
  qwen: ['@qwen-code/qwen-code@0.24.4', 'node@22'],
} as const;

/** The installed program; undefined where npm cannot install it, which skips its tests by name. */
export function agentProgram(name: keyof typeof AGENT_PACKAGES): string | undefined {
  const modules = npmPackages(...[AGENT_PACKAGES[name]].flat());
  return modules === undefined ? undefined : join(modules, '.bin', name);
}
