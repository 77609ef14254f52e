import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../../../support/cli.ts';
import { expectFailure } from '../../../support/expect-failure.ts';
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
const failure = (args: string[]) => sandbox.failure(['feature', ...args], { in: 'shop' });
const json = async (...args: string[]) => JSON.parse((await feature([...args, '--json'])).stdout);
const listed = () => JSON.parse(readFileSync(sandbox.path('shop', LIST), 'utf8')).features;

describe('feature add', () => {
  it('puts a feature into ledger and list, untested, with the next free id', async () => {
    const { stdout, stderr, exitCode } = await feature(['add', 'People log in', '--criterion', 'A form']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toContain('F001: People log in\n');
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
    expect(stderr.split('\n')).toEqual([
      expect.stringContaining('F009'),
      expect.stringContaining('guardkit feature edit F001 --criterion-add'),
      '',
    ]);
  });

  it.each([
    ['an id that is taken', ['--id', 'F001'], 'feature.refused F001.id'],
    ['one that differs by case only', ['--id', 'f001'], 'feature.refused f001.id F001'],
    ['the id of a task', ['--id', 'TASK-1'], 'feature.refused TASK-1.id'],
    ['the id of a feature’s file', ['--id', 'FEAT-A'], 'feature.refused FEAT-A.id'],
    ['one that waits for itself', ['--id', 'F2', '--depends-on', 'F2'], 'feature.refused F2.dependencies'],
  ])('refuses %s, and changes nothing [CLI-1]', async (_case, args, expected) => {
    sandbox.write('shop/tasks/TASK-1.md', taskText('TASK-1'));
    sandbox.write('shop/.guardkit/features/FEAT-A.yaml', featureText('FEAT-A', 'tasks: [TASK-1 ]\n'));
    await feature(['add', 'One', '--criterion', 'a']);
    const before = listed();
    for (const dry of [['--dry-run'], []]) {
      const failed = await failure(['add', 'Two', ...args, ...dry]);
      expectFailure(failed, expected);
      expect(failed.exitCode).toBe(1);
    }
    expect(listed()).toEqual(before);
  });

  it.each([
    [['add', ' '], 'usage description:'],
    [['add', 'a', '--priority', 'soon'], 'usage --priority:'],
    [['add', 'a', '--complexity', '11'], 'usage --complexity: 10'],
    [['add', 'a', '--id', '../x'], 'usage --id:'],
    [['add', 'a', '--type', 'featur'], 'task-type.unknown "featur" feature?'],
  ])('%j is wrong use [CLI-1]', async (args, expected) => {
    const failed = await failure(args);
    expectFailure(failed, expected);
    expect(failed.exitCode).toBe(2);
  });

  it('is open to the agent that talks to a person, on the record as its doing', async () => {
    const { exitCode } = await feature(['add', 'One', '--criterion', 'a'], { CLAUDECODE: '1' });
    expect(exitCode).toBe(0);
    expect(listed()).toMatchObject([{ id: 'F001', acceptance_criteria: [{ text: 'a' }] }]);
  });
});
