import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../../../src/store/ledger/open-ledger.ts';
import { changeFeatures } from '../../../../src/store/ledger/tables/feature-table.ts';
import { type RunOptions, Sandbox } from '../../../support/cli.ts';
import { expectFailure } from '../../../support/expect-failure.ts';
import { further } from '../../../support/thorough.ts';
import { featureText } from '../work-files.ts';

let sandbox: Sandbox;
let project: string;
beforeEach(async () => {
  sandbox = new Sandbox();
  project = sandbox.repository('shop');
  const features = [
    { id: 'F001', description: 'People log in', acceptance_criteria: ['A form', 'A password'] },
    { id: 'F002', description: 'People log out', dependencies: ['F001'], acceptance_criteria: ['A button'] },
  ];
  sandbox.write(LIST, { features });
  await feature(['edit', 'F002', '--notes', 'seen']);
});
afterEach(() => sandbox.cleanup());

const LIST = 'shop/.claude/progress/feature-list.json';
const AGENT: RunOptions = { env: { CLAUDECODE: '1' } };
const feature = (args: string[], options: RunOptions = {}) =>
  sandbox.guardkit(['feature', ...args], { in: 'shop', ...options });
const failure = (args: string[], options: RunOptions = {}) =>
  sandbox.failure(['feature', ...args], { in: 'shop', ...options });
const listed = (id = 'F001') =>
  JSON.parse(readFileSync(sandbox.path(LIST), 'utf8')).features.find((one: { id: string }) => one.id === id);

function inLedger<Result>(work: (ledger: ReturnType<typeof openLedger>) => Result): Result {
  const ledger = openLedger({ path: join(sandbox.home, 'ledger.db') });
  try {
    return work(ledger);
  } finally {
    ledger.close();
  }
}

/** As the machine leaves a feature of which two attempts have failed. */
function block(id: string): void {
  inLedger((ledger) =>
    changeFeatures(ledger, project, (current) => ({
      by: 'verification',
      actor: 'guardkit',
      features: current
        .filter((one) => one.id === id)
        .map((one) => ({ ...one, status: 'blocked', retries: 2, blocked_reason: 'No route to the bank' })),
    })),
  );
}

describe('feature edit', () => {
  it('changes free fields and says which', async () => {
    const { stdout, exitCode } = await feature([
      ...['edit', 'F001', '--description', 'People sign in', '--priority', 'P1', '--status', 'In-Progress'],
      ...[
        '--notes',
        'see RFC 6749',
        '--criterion-add',
        'AC-9: A link',
        '--complexity',
        '7',
        '--type',
        'bugfix',
        '--json',
      ],
    ]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).changed).toEqual([
      ...['description', 'priority', 'status', 'task_type', 'complexity', 'acceptance_criteria', 'notes'],
    ]);
    expect(listed()).toMatchObject({
      description: 'People sign in',
      priority: 1,
      status: 'in_progress',
      notes: 'see RFC 6749',
      tested: false,
      acceptance_criteria: [{ id: 'AC-001' }, { id: 'AC-002' }, { id: 'AC-9', text: 'A link' }],
    });
    const again = await feature(['edit', 'F001', '--priority', '1', '--json']);
    expect(JSON.parse(again.stdout).changed).toEqual([]);
  });

  it('says what would change, and changes nothing [CLI-2]', async () => {
    const before = listed();
    const { stdout } = await feature(['edit', 'F001', '--notes', 'x', '--dry-run', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      feature: { id: 'F001', notes: 'x' },
      changed: ['notes'],
      removed: false,
      dry_run: true,
    });
    expect(listed()).toEqual(before);
  });

  it('adds and ends a dependency, but none in a circle', async () => {
    const circle = await failure(['edit', 'F001', '--dependency-add', 'F002']);
    expectFailure(circle, 'feature.refused F001.dependencies F002');
    expect(circle.exitCode).toBe(1);
    await feature(['edit', 'F002', '--dependency-remove', 'F001']);
    expect((await feature(['edit', 'F001', '--dependency-add', 'F002'])).exitCode).toBe(0);
    expect(listed().dependencies).toEqual(['F002']);
  });

  it.each([
    [['--criterion-remove', 'AC-7'], 'feature.refused F001.acceptance_criteria AC-7', 1],
    [['--dependency-remove', 'F002'], 'feature.refused F001.dependencies F002', 1],
    [['--criterion-add', 'AC-1: Again'], 'feature.refused F001.acceptance_criteria AC-001', 1],
    [['--criterion-add', 'a form.'], 'feature.refused F001.acceptance_criteria AC-001', 1],
    [['--remove', '--notes', 'x'], 'usage --remove', 2],
    [[], 'usage --help', 2],
    [['--status', 'done'], 'usage --status: pending', 2],
    [['--type', 'featur'], 'task-type.unknown "featur" feature?', 2],
    [['--tested', 'true'], 'usage --tested', 2],
  ])('refuses %j, and changes nothing [CLI-1]', async (args, expected, exit) => {
    const before = listed();
    const failed = await failure(['edit', 'F001', ...args], { person: true, input: 'y\n' });
    expectFailure(failed, expected);
    expect(failed.exitCode).toBe(exit);
    expect(listed()).toEqual(before);
  });

  further('tells a slip in the id', async () => {
    const failed = await failure(['edit', 'F0O1', '--notes', 'x']);
    expectFailure(failed, 'feature.unknown F0O1 F001');
    expect(failed.exitCode).toBe(2);
  });

  it.each([
    [['--notes', 'x'], undefined],
    [['--status', 'completed'], undefined],
    [['--description', 'x'], 'description'],
    [['--criterion-add', 'x'], 'acceptance_criteria'],
    [['--status', 'blocked'], 'status'],
    [['--criterion-remove', 'AC-001'], 'acceptance_criteria'],
    [['--remove'], 'id'],
  ])('holds an agent to its rights: %j, refused for %s', async (args, field) => {
    const failed = await failure(['edit', 'F001', ...args], AGENT);
    expect(failed).toMatchObject(
      field === undefined
        ? { exitCode: 0 }
        : { exitCode: 1, code: 'feature.refused', faults: [{ feature: 'F001', field }] },
    );
    expect(listed().acceptance_criteria).toHaveLength(2);
  });

  it('removes a feature or a criterion for a person who says yes, and tells who waits for it', async () => {
    const person = { person: true, input: 'y\n' };
    expect((await feature(['edit', 'F001', '--criterion-remove', 'AC-002'], person)).exitCode).toBe(0);
    expect(listed().acceptance_criteria).toEqual([{ id: 'AC-001', text: 'A form' }]);
    const { stdout, stderr } = await feature(['edit', 'F001', '--remove', '--json'], person);
    expect(JSON.parse(stdout)).toMatchObject({ removed: true });
    expect(stderr).toContain('guardkit feature edit F002 --dependency-remove F001');
    expect(listed()).toBeUndefined();
    expect(listed('F002')).toBeDefined();
  });

  it.each([
    ['nobody at a terminal', {}, 'person.needed'],
    ['a person who says no', { person: true, input: 'n\n' }, 'edit.declined'],
  ])('keeps the feature with %s', async (_case, options, code) => {
    expect(await failure(['edit', 'F001', '--remove'], options)).toMatchObject({ exitCode: 1, code });
    expect(listed()).toBeDefined();
  });

  it('leaves to its file what a file defines', async () => {
    sandbox.write('shop/.guardkit/features/FEAT-A.yaml', featureText('FEAT-A', 'acceptance_criteria: [a]\n'));
    for (const args of [['--priority', '1'], ['--criterion-add', 'b'], ['--remove']]) {
      const failed = await failure(['edit', 'FEAT-A', ...args], { person: true, input: 'y\n' });
      expectFailure(failed, 'feature.refused .guardkit/features/FEAT-A.yaml');
      expect(failed.exitCode).toBe(1);
    }
    expect((await feature(['edit', 'FEAT-A', '--notes', 'mine'])).exitCode).toBe(0);
    expect(listed('FEAT-A').notes).toBe('mine');
  });
});

describe('feature unblock', () => {
  const UNBLOCK = ['unblock', 'F001', '--reason', 'The bank answers again'];

  it('starts a blocked feature anew for a person, with the reason on record', async () => {
    block('F001');
    const { stdout, stderr } = await feature([...UNBLOCK, '--json'], { person: true, input: 'y\n' });
    expect(stderr).toContain('No route to the bank');
    expect(JSON.parse(stdout)).toMatchObject({ feature: 'F001', unblocked: true });
    expect(listed()).toMatchObject({ status: 'pending', retries: 0, blocked_reason: null });
    const bodies = inLedger((ledger) =>
      [...ledger.entries(project, { kind: 'feature_unblocked' })].map(({ body }) => body),
    );
    expect(bodies).toEqual([
      {
        feature_id: 'F001',
        by: 'test',
        reason: 'The bank answers again',
        retries: 2,
        blocked_reason: 'No route to the bank',
      },
    ]);
  });

  it.each<[string, string[], RunOptions, number, string | undefined]>([
    ['nobody at a terminal', UNBLOCK, {}, 1, 'person.needed'],
    ['an agent', UNBLOCK, AGENT, 1, 'person.needed'],
    ['a person who says no', UNBLOCK, { person: true, input: '\n' }, 1, 'unblock.declined F001'],
    ['no reason', ['unblock', 'F001'], { person: true, input: 'y\n' }, 2, 'usage --reason:'],
    ['only the question what would be', [...UNBLOCK, '--dry-run'], {}, 0, undefined],
    [
      'a status set by hand',
      ['edit', 'F001', '--status', 'pending'],
      { person: true },
      1,
      'feature.refused guardkit feature unblock F001',
    ],
  ])('leaves it blocked with %s', async (_case, args, options, exit, expected) => {
    block('F001');
    const failed = await failure(args, options);
    if (expected !== undefined) expectFailure(failed, expected);
    expect(failed.exitCode).toBe(exit);
    await feature(['list']);
    expect(listed()).toMatchObject({ status: 'blocked', retries: 2, blocked_reason: 'No route to the bank' });
  });

  it('says no to a feature that is not blocked', async () => {
    const failed = await failure(UNBLOCK, { person: true, input: 'y\n' });
    expectFailure(failed, 'feature.refused F001.status pending');
    expect(failed.exitCode).toBe(1);
  });
});
