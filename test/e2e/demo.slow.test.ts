import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const DEMO = fileURLToPath(new URL('../../scripts/demo.js', import.meta.url));

test('the demo builds a feature with a refused claim, feedback and an approval, runs three more, and leaves nothing behind', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [DEMO], { timeout: 110_000 });
  expect(stderr).toMatch(/✗ coverage .*\n/);
  expect(stderr).toContain('coach: rejected');
  expect(stderr).toMatch(/turn 2 [^\n]*\n.*previous turn/s);
  expect(stdout).toMatch(/T1 .*coach rejected.*T2 .*coach approved/s);
  expect(stdout).toMatch(/\b8 tests\b.*\b1\b/);
  expect(stdout).toMatch(
    /Done \(2\):\n {2}✓ FEAT-GREET\n {2}✓ FEAT-SHOUT\nBlocked \(1\):\n {2}✗ FEAT-SILENCE/,
  );
  expect(stdout).toContain('git merge --no-ff guardkit/run-');
  const scratch = /(\S*guardkit-demo-\w+)/.exec(stdout)?.[1];
  expect(existsSync(scratch ?? '/')).toBe(false);
});
