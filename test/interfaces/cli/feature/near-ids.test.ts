import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sandbox } from '../../../support/cli.ts';

const sandbox = new Sandbox();
const AGENT = { env: { CLAUDECODE: '1' } };

beforeAll(async () => {
  sandbox.repository('shop');
  sandbox.write('shop/.claude/progress/feature-list.json', {
    features: [{ id: 'F001', description: 'People log in', acceptance_criteria: ['A form'] }],
  });
  sandbox.write('shop/tasks/TASK-001-form.md', '---\nid: TASK-001\ntitle: A form\n---\n');
  sandbox.commit('shop', 'Work');
  await sandbox.guardkit(['feature', 'edit', 'F001', '--notes', 'seen'], { in: 'shop' });
});
afterAll(() => sandbox.cleanup());

it.each([
  ['feature show F1', 'F001'],
  ['feature edit F1 --notes x', 'F001'],
  ['feature unblock F1 --reason x', 'F001'],
  ['feature complete F1', 'F001'],
  ['task show TASK-1', 'TASK-001'],
  ['evidence TASK-1', 'TASK-001'],
  ['verify F1', 'F001'],
  ['guard show protected-sett', 'protected-set'],
  ['guard allow protected-sett --for 1h --reason x', 'protected-set'],
  ['run --features F1 --dry-run', 'F001'],
])('`guardkit %s` asks whether %s was meant', async (command, meant) => {
  const { exitCode, code, message, hint } = await sandbox.failure(command.split(' '), {
    in: 'shop',
    ...AGENT,
  });
  expect({ exitCode, code }).toEqual({ exitCode: 2, code: expect.stringMatching(/\.unknown(?:-feature)?$/) });
  expect(`${message} ${hint}`).toContain(meant);
});
