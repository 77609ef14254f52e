import { existsSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWorker } from './worker.ts';

const CLI = fileURLToPath(new URL('../orchestration/feature-build/kill-worker.ts', import.meta.url));
const TAP = fileURLToPath(new URL('../../src/verification/runners/tap', import.meta.url));

/** The command line as the sources have it now, as a file that Node runs and that may be killed. */
export async function buildCli(): Promise<string> {
  const worker = await buildWorker(CLI);
  // What is loaded into test runners is looked for beside the program.
  const tap = join(dirname(worker), 'tap');
  try {
    if (!existsSync(tap)) symlinkSync(TAP, tap);
  } catch (error) {
    // Another test file made it at the same moment.
    if (!existsSync(tap)) throw error;
  }
  return worker;
}
