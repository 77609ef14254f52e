import { afterAll, expect, it } from 'vitest';
import { CheatBase, HONEST, UNMEASURED_PROJECT } from './cheat-project.ts';

const base = new CheatBase(UNMEASURED_PROJECT);
afterAll(() => base.cleanup());

it('a person accepts committed packages one by one, each in its version', async () => {
  const project = base.project().write(HONEST).write({
    'node_modules/left/index.js': 'exports.left = 1;\n',
    'node_modules/@other/right/index.js': 'exports.right = 1;\n',
  });
  project.git('add', '--all', '--force');
  const harness = async () => (await project.verify()).gates.get('harness');
  const accept = async (path: string) => {
    const words = ['accept', path, '--yes'];
    const answer = await project.sandbox.guardkit(words, { in: project.name, person: true });
    expect(answer.exitCode, answer.stderr).toBe(0);
  };
  expect(await harness()).toMatchObject({
    result: 'fail',
    reason: expect.stringContaining('`guardkit accept node_modules/@other/right`'),
  });
  await accept('node_modules/left');
  expect(await harness()).toMatchObject({
    result: 'fail',
    reason: expect.not.stringContaining('node_modules/left'),
  });
  await accept('node_modules/@other/right');
  expect(await harness()).toMatchObject({ result: 'pass' });
  project.write({ 'node_modules/left/index.js': 'exports.left = 2;\n' });
  expect(await harness()).toMatchObject({
    result: 'fail',
    reason: expect.stringContaining('`guardkit accept node_modules/left`'),
  });
});
