import { afterEach, beforeEach, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = new Sandbox();
  sandbox.emptyRepository('shop');
  sandbox.write('shop/.guardkit/config.yaml', 'project: shop\n');
  sandbox.git('shop', 'add', '-A');
  sandbox.commit('shop', 'Begin');
  await sandbox.guardkit(['init', '--agent', 'claude', '--yes'], { in: 'shop' });
});
afterEach(() => sandbox.cleanup());

async function json(args: readonly string[], input = '') {
  const { stdout } = await sandbox.guardkit(['guard', ...args, '--json'], { in: 'shop', input });
  return JSON.parse(stdout);
}

it('guard list and guard test show the guards in force, and an uncommitted setting as pending', async () => {
  sandbox.write('shop/.guardkit/config.yaml', 'project: shop\nguards:\n  protected-set: off\n');
  const pending = [{ id: 'protected-set', in_force: 'enforce', pending: 'off' }];
  const listed = await json(['list']);
  expect(listed).toMatchObject({ pending });
  expect(listed.guards).toContainEqual(expect.objectContaining({ id: 'protected-set', mode: 'enforce' }));
  const action = JSON.stringify({ kind: 'command', command: 'rm -rf .guardkit' });
  expect(await json(['test', '--action', '-'], action)).toMatchObject({ decision: 'deny', pending });
  sandbox.git('shop', 'add', '-A');
  sandbox.commit('shop', 'Turn it off');
  const after = await json(['list']);
  expect(after.pending).toEqual([]);
  expect(after.guards).toContainEqual(expect.objectContaining({ id: 'protected-set', mode: 'off' }));
});
