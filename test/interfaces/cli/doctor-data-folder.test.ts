import { afterAll, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());

it('doctor finds before the first use that nothing can be written into the data folder', async () => {
  sandbox.repository('shop');
  const doctor = (home: string) => sandbox.guardkit(['doctor'], { in: 'shop', env: { GUARDKIT_HOME: home } });
  const { exitCode, stdout } = await doctor('/sys/guardkit');
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/✗ data .*\/sys\/guardkit.*\/sys .*\(E[A-Z]+\)/);
  expect(stdout).toContain('GUARDKIT_HOME');
  expect((await doctor(sandbox.home)).stdout).not.toMatch(/ data /);
});
