import { runProcess } from '../../src/platform/processes/run-process.ts';

/** Runs a program that would go on for long, for a test that ends this process meanwhile. */
const [cwd = '/'] = process.argv.slice(2);
await runProcess('/bin/sh', ['-c', 'sleep 300 & echo $! > child; wait'], {
  cwd,
  env: process.env,
  timeoutMs: 300_000,
});
