import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../../../support/cli.ts';
import { featureText, taskText } from '../work-files.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

const LIST = '.claude/progress/feature-list.json';
const feature = (args: string[], env: Record<string, string> = {}) =>
  sandbox.guardkit(['feature', ...args], { in: 'shop', env });
const json = async (...args: string[]) => JSON.parse((await feature([...args, '--json'])).stdout);
const listed = () => JSON.parse(readFileSync(sandbox.path('shop', LIST), 'utf8')).features;

describe('feature add', () => {
  it('puts a feature into ledger and list, untested, with the next free id', async () => {
    const { stdout, stderr, exitCode } = await feature(['add', 'People log in', '--criterion', 'A form']);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: 'Added F001: People log in\n',
      stderr: '',
      exitCode: 0,
    });
    await feature([
      ...['add', 'People log out', '--priority', 'high', '--depends-on', 'F001', '--ui'],
      ...['--criterion', 'AC-7: A button', '--criterion', 'A page', '--type', 'bugfix', '--complexity', '2'],
    ]);
    expect(listed()).toMatchObject([
      { id: 'F001', description: 'People log in', priority: 3, tested: false, status: 'pending' },
      {
        id: 'F002',
        priority: 2,
        dependencies: ['F001'],
        ui: true,
        task_type: 'bugfix',
        complexity: 2,
        acceptance_criteria: [
          { id: 'AC-7', text: 'A button' },
          { id: 'AC-001', text: 'A page' },
        ],
      },
    ]);
    expect((await json('list')).features.map(({ id }: { id: string }) => id)).toEqual(['F002', 'F001']);
  });

  it('says what would be added, and makes neither ledger nor list [CLI-2]', async () => {
    sandbox.write('shop/.guardkit/features/FEAT-A.yaml', featureText('FEAT-A', 'acceptance_criteria: [a]\n'));
    expect(await json('add', 'People log in', '--depends-on', 'FEAT-A', '--dry-run')).toMatchObject({
      feature: { id: 'F001', dependencies: ['FEAT-A'] },
      added: false,
      dry_run: true,
    });
    expect(existsSync(sandbox.path('shop', LIST))).toBe(false);
    expect(existsSync(sandbox.home)).toBe(false);
  });

  it('keeps what somebody wrote into the list meanwhile', async () => {
    await feature(['add', 'One', '--criterion', 'a']);
    const text = readFileSync(sandbox.path('shop', LIST), 'utf8');
    sandbox.write(`shop/${LIST}`, text.replace('"notes": ""', '"notes": "by hand"'));
    await feature(['add', 'Two', '--criterion', 'a']);
    expect(listed()).toMatchObject([{ id: 'F001', notes: 'by hand' }, { id: 'F002' }]);
  });

  it('warns of a dependency that does not exist, and of a feature without criteria', async () => {
    const { stderr } = await feature(['add', 'One', '--depends-on', 'F009']);
    expect(stderr).toContain('F001 waits for F009, which does not exist yet.');
    expect(stderr).toContain('F001 has no criterion yet');
  });

  it.each([
    ['an id that is taken', ['--id', 'F001'], 'F001: this id is taken'],
    ['one that differs by case only', ['--id', 'f001'], 'f001 is too much like F001'],
    ['the id of a task', ['--id', 'TASK-1'], 'TASK-1: this id is taken'],
    ['the id of a feature’s file', ['--id', 'FEAT-A'], 'FEAT-A: this id is taken'],
    ['one that waits for itself', ['--id', 'F2', '--depends-on', 'F2'], 'wait for itself (F2 → F2)'],
  ])('refuses %s, and changes nothing [CLI-1]', async (_case, args, message) => {
    sandbox.write('shop/tasks/TASK-1.md', taskText('TASK-1'));
    sandbox.write('shop/.guardkit/features/FEAT-A.yaml', featureText('FEAT-A', 'tasks: [TASK-1 ]\n'));
    await feature(['add', 'One', '--criterion', 'a']);
    const before = listed();
    for (const dry of [['--dry-run'], []]) {
      const { exitCode, stderr } = await feature(['add', 'Two', ...args, ...dry]);
      expect(stderr).toContain(message);
      expect(exitCode).toBe(1);
    }
    expect(listed()).toEqual(before);
  });

  it.each([
    [['add', ' '], 'description: a text is expected'],
    [['add', 'a', '--priority', 'soon'], '--priority: a whole number; 1 is the most urgent is expected'],
    [['add', 'a', '--complexity', '11'], '--complexity: a whole number from 1 to 10 is expected'],
    [['add', 'a', '--id', '../x'], '--id: an id is letters, digits'],
    [['add', 'a', '--type', 'featur'], 'Did you mean feature?'],
  ])('%j is wrong use [CLI-1]', async (args, message) => {
    const { exitCode, stderr } = await feature(args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  it('is open to the agent that talks to a person, on the record as its doing', async () => {
    const { exitCode } = await feature(['add', 'One', '--criterion', 'a'], { CLAUDECODE: '1' });
    expect(exitCode).toBe(0);
    expect(listed()).toMatchObject([{ id: 'F001', acceptance_criteria: [{ text: 'a' }] }]);
  });
});
