import { LIST_PATH, listText } from '../support/hooked-project.ts';
import { HONEST_CHANGE, MEASURE_TESTS, ONE_PROCESS, testFile } from '../support/verified-project.ts';
import { AttackSession } from './attack-session.ts';
import { ledgerState } from './protected-state.ts';

export const CONFIG = `project: shop-1\nverify:\n  tests:\n    command: ${MEASURE_TESTS}\n  coverage:\n    report: lcov.info\n`;
const LIST = listText([
  {
    id: 'FEAT-1',
    task_type: 'feature',
    complexity: 2,
    acceptance_criteria: ['AC-001: subtracts two numbers'],
  },
  { id: 'FEAT-2' },
]);

/** Tests without assertions, which no rule runs. */
const LENIENT = `import { existsSync } from 'node:fs';
import test from 'node:test';
import { add } from './src/add.js';

test('adds', () => add(1, 2));
if (existsSync('test/sub.test.js'))
  test('AC-001 subtracts', async () => (await import('./src/sub.js')).sub(3, 2));
`;

/** A project with a verifiable feature, and the agent that wrote it. */
export async function ready(
  change: Readonly<Record<string, string>>,
  base: Readonly<Record<string, string>> = {},
): Promise<AttackSession> {
  const session = new AttackSession();
  const files = {
    ...ONE_PROCESS,
    'easy.mjs': LENIENT,
    '.guardkit/config.yaml': CONFIG,
    'src/add.js': 'export const add = (a, b) => a + b;\n',
    'test/add.test.js': testFile('adds', 'add', 'add(1, 2)', '3'),
    ...base,
  };
  for (const [path, text] of Object.entries(files)) session.write(path, text);
  session.git('rm', '-q', 'test/cart.test.js', 'tasks/TASK-001-cart.md');
  session.git('add', '-A');
  session.git('commit', '-qm', 'base');
  session.git('checkout', '-q', '-b', 'work');
  session.write(LIST_PATH, LIST);
  await session.begin();
  for (const [path, text] of Object.entries(change)) await session.writeTool(path, text);
  return session;
}

/** The agent’s change, whose test fails. */
export const BROKEN = { ...HONEST_CHANGE, 'src/sub.js': 'export const sub = (a, b) => a + b;\n' };

export function isTested(session: AttackSession): boolean {
  return session.list().includes('"tested": true') || ledgerState(session).tested.length > 0;
}
