import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';
import { addGuideTurns } from './guide-turns.ts';

const sandbox = new Sandbox();
const IN = { in: 'shop' };
const TURN_2 = 'TURN-FEAT-AUTH-TASK-AUTH-001-T2';

beforeAll(async () => {
  sandbox.repository('shop');
  await addGuideTurns(sandbox, 'shop');
});
afterAll(() => sandbox.cleanup());

async function search(...args: string[]): Promise<string[]> {
  const { stdout } = await sandbox.graphiti(['search', ...args], IN);
  return stdout.trimEnd().split('\n');
}

describe.concurrent('the turn state tracking guide', () => {
  it('finds all turns of a feature in the form that it shows', async () => {
    const [head, blank, ...lines] = await search('turn FEAT-AUTH', '--group', 'turn_states');
    expect(head).toMatch(/\b3\b.*'turn FEAT-AUTH'/);
    expect(blank).toBe('');
    expect(lines.map((line) => /^\d\. \[[01]\.\d\d\] (.*) player_decision/.exec(line)?.[1]).sort()).toEqual([
      'turn_state FEAT-AUTH TASK-AUTH-001 turn 1: coach_decision=feedback',
      'turn_state FEAT-AUTH TASK-AUTH-001 turn 2: coach_decision=rejected',
      'turn_state FEAT-AUTH TASK-AUTH-001 turn 3: coach_decision=approved',
    ]);
  });

  it.each([
    ['the turns of a task', ['turn TASK-AUTH-001', '--limit', '5'], 3],
    ['recent turns', ['turn_state', '--limit', '2'], 2],
    ['feedback', ['coach_feedback TASK-AUTH-001'], 3],
  ])('finds %s', async (_case, args, count) => {
    const { results } = await sandbox.json(['search', ...args, '--group', 'turn_states'], IN);
    expect(results).toHaveLength(count);
  });

  it.each([
    ['rejected turns first', 'coach_decision rejected', 'turn 2: coach_decision=rejected'],
    ['approved turns first', 'coach_decision approved', 'turn 3: coach_decision=approved'],
    ['the turn with blockers first', 'blockers TASK-AUTH-001', 'turn 2:'],
    ['the turn that is asked for first', 'turn TASK-AUTH-001 turn 2', 'turn 2:'],
    ['a turn by its short id first, with full score [FIND-1]', 'TURN-FEAT-AUTH-2', 'turn 2:'],
    ['a turn by its whole id first [FIND-1]', TURN_2, 'turn 2:'],
  ])('finds %s', async (_case, query, expected) => {
    const [, , first] = await search(query, '--group', 'turn_states');
    expect(first).toContain(expected);
    if (query.startsWith('TURN-')) expect(first).toMatch(/^1\. \[1\.00\]/);
  });

  it('counts turns under Learning', async () => {
    const { stdout } = await sandbox.graphiti(['status', '--verbose'], IN);
    const learning = stdout.split('\nLearning:\n')[1] ?? '';
    expect(learning).toContain('  • turn_states: 3\n');
    expect(learning).toContain('  • task_outcomes: 0\n');
    expect(stdout.match(/^\w[\w ]+:$/gm)).toEqual([
      'System Knowledge:',
      'Project Knowledge:',
      'Decisions:',
      'Learning:',
    ]);
  });

  it('gives the same counts to programs', async () => {
    const { groups, episodes } = await sandbox.json(['status', '--verbose'], IN);
    expect(groups).toContainEqual({
      heading: 'Learning',
      name: 'turn_states',
      group: expect.stringMatching(/^shop-[0-9a-f]{4}__turn_states$/),
      episodes: 3,
    });
    expect(episodes).toBe(3);
  });

  it('shows a turn in full by its short id, with statuses in the words that are stored', async () => {
    const { stdout, exitCode } = await sandbox.graphiti(['show', 'TURN-FEAT-AUTH-2'], IN);
    expect(stdout).toMatch(new RegExp(`^${TURN_2} .*turn_state.*shop-[0-9a-f]{4}__turn_states`));
    expect(stdout).toContain('"AC-001": "verified"');
    expect(stdout).toContain('"AC-002": "in_progress"');
    expect(exitCode).toBe(0);
  });

  it('shows the history of a turn by its short id', async () => {
    const { stdout, exitCode } = await sandbox.graphiti(['history', 'TURN-FEAT-AUTH-2'], IN);
    expect(stdout).toMatch(new RegExp(`${TURN_2}.*shop-[0-9a-f]{4}__turn_states`));
    expect(stdout).toContain('  + coach_decision: "rejected"');
    expect(exitCode).toBe(0);
  });

  it('lists turns by their fields, newest first', async () => {
    const { episodes } = await sandbox.json(['list', 'turn_states', '--where', 'turn_number=2'], IN);
    expect(episodes).toMatchObject([{ entity_id: TURN_2 }]);
    const { stdout } = await sandbox.graphiti(['list', 'turn_states', '--limit', '1'], IN);
    expect(stdout).toMatch(/^1 .*shop-[0-9a-f]{4}__turn_states\n {2}TURN-FEAT-AUTH-TASK-AUTH-001-T3: /);
    expect(stdout).toContain('--limit');
  });

  it('gives search results to programs in full', async () => {
    expect(await sandbox.json(['search', 'sliding window', '--limit', '1'], IN)).toEqual({
      query: 'sliding window',
      results: [
        {
          score: expect.any(Number),
          group: expect.stringMatching(/__turn_states$/),
          entity_id: TURN_2,
          entity_type: 'turn_state',
          name: 'Turn 2: TASK-AUTH-001',
          text: expect.stringContaining('player_summary: Added token refresh endpoint with sliding window'),
          valid_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ],
    });
  });

  it('says with --verbose which id a result has', async () => {
    const lines = await search('sliding window', '--limit', '1', '--verbose');
    expect(lines[3]).toMatch(new RegExp(`^ {3}${TURN_2} .*shop-[0-9a-f]{4}__turn_states`));
  });

  it('finds nothing with exit 0 and says which groups have data', async () => {
    const { stdout, exitCode } = await sandbox.graphiti(['search', 'xyzzy'], IN);
    expect(stdout).toMatch(/'xyzzy'.*\n.*shop-\w+__turn_states\b/);
    const empty = await sandbox.graphiti(['search', 'xyzzy', '--group', 'traces'], IN);
    expect(empty.stdout).toMatch(/'xyzzy'.*\n.*shop-\w+__turn_states\b/);
    expect([exitCode, empty.exitCode]).toEqual([0, 0]);
  });

  it.each([
    ['show', ['show', 'TURN-FEAT-AUTH-9'], ['TURN-FEAT-AUTH-9']],
    ['show in the past', ['show', TURN_2, '--as-of', '2020-01-01'], [TURN_2, '2020-01-01T00:00:00.000Z']],
    ['history', ['history', 'TURN-FEAT-AUTH-9'], ['TURN-FEAT-AUTH-9']],
  ])('answers no to %s of what is not there [CLI-1]', async (_case, args, named) => {
    const { stdout, stderr, exitCode } = await sandbox.graphiti(args, IN);
    for (const name of named) expect(stdout).toContain(name);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
  });
});

it('a new version shows in history as a difference, and the old one as of its time [MEM-5]', async () => {
  const box = new Sandbox();
  try {
    const add = async (coverage: number) => {
      const body = { feature_id: 'F', task_id: 'T', turn_number: 1, mode: 'FRESH_START', coverage };
      await box.graphiti(['add', 'turn_states', '--id', 'TURN-F-1', '--type', 'turn_state', '--body', '-'], {
        in: 'shop',
        input: JSON.stringify(body),
      });
    };
    box.repository('shop');
    await add(70);
    const { episodes } = await box.json(['show', 'TURN-F-1'], IN);
    const [{ valid_at }] = episodes as [{ valid_at: string }];
    await add(80);
    const { stdout } = await box.graphiti(['history', 'TURN-F-1'], IN);
    expect(stdout).toContain('\n  ~ coverage: 70 → 80');
    const { versions } = await box.json(['history', 'TURN-F-1'], IN);
    expect(versions).toMatchObject([
      { source: 'program', expired_at: expect.any(String) },
      { source: 'program', expired_at: null },
    ]);
    expect(await box.json(['show', 'TURN-F-1', '--as-of', valid_at], IN)).toMatchObject({
      episodes: [{ body: { coverage: 70 } }],
    });
  } finally {
    box.cleanup();
  }
});
