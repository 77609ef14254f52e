import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { findSandbox } from '../../../../src/platform/sandbox/find-sandbox.ts';
import { keysFolder, makeMachineKey } from '../../../../src/platform/signing/machine-key.ts';
import { CiProject } from '../../../support/ci-project.ts';
import { further } from '../../../support/thorough.ts';
import { HONEST_CHANGE } from '../../../support/verified-project.ts';

const opened: CiProject[] = [];
afterEach(() => {
  for (const project of opened.splice(0)) project.cleanup();
});
const sandbox = await findSandbox();

/** A test of the branch that fails if it finds the key at its path, or through any process it can see. */
function thiefFor(home: string): string {
  const file = join(keysFolder(home), 'machine.pem');
  return `import assert from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
const places = ['', ...readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map((pid) => '/proc/' + pid + '/root')];
test('the key is out of reach', () => {
  for (const place of places) assert.throws(() => readFileSync(place + ${JSON.stringify(file)}));
});
`;
}

async function verified(noSandbox?: string): Promise<{ exitCode: number | null; tests: string | undefined }> {
  const calc = new CiProject();
  opened.push(calc);
  makeMachineKey(calc.sandbox.home);
  if (noSandbox !== undefined) calc.sandbox.noSandbox = noSandbox;
  calc.write({ ...HONEST_CHANGE, 'test/thief.test.js': thiefFor(calc.sandbox.home) });
  calc.commit('Subtract');
  const { stdout, exitCode } = await calc.sandbox.guardkit(['verify', 'TASK-001', '--json'], { in: 'calc' });
  const { gates } = JSON.parse(stdout) as { gates: { gate: string; result: string }[] };
  return { exitCode, tests: gates.find(({ gate }) => gate === 'tests')?.result };
}

it.skipIf(!sandbox.available)(
  `[ATTEST-3] tests under verification cannot read the machine’s key ${sandbox.available ? '' : sandbox.why}`,
  async () => {
    expect((await verified()).tests).toBe('pass');
  },
);

further('without a sandbox they can, which is why results then stay unsigned', async () => {
  expect((await verified('none here')).tests).toBe('fail');
});
