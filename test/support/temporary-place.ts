import { tmpdir } from 'node:os';
import { afterAll, expect, inject } from 'vitest';

// Set once per process: later files find the first one's choice in the environment.
const places = globalThis as { guardkitDisk?: string };
places.guardkitDisk ??= tmpdir();

// A sandbox cannot see the folder in memory. Slow and long tests use the disk too.
const memory = inject('memoryFolder');
const usesDisk = /\.(?:sandbox|slow|long)\.test\.ts$/.test(expect.getState().testPath ?? '');
process.env.TMPDIR = memory === undefined || usesDisk ? places.guardkitDisk : memory;

if (process.env.GUARDKIT_TEST_HOOKS === 'resident')
  afterAll(async () => (await import('./resident-hooks.ts')).closeResidents());
