import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';

const GROUPS = ['role_constraints', 'quality_gate_configs', 'implementation_modes'];

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.cleanup());

describe('graphiti seed', () => {
  it('writes eleven episodes; the second run reports each unchanged and changes no row [CLI-3]', async () => {
    const first = await sandbox.program(['graphiti', 'seed', '--json']);
    expect(JSON.parse(first.stdout)).toEqual({
      groups: [
        { group: 'role_constraints', created: 2, updated: 0, unchanged: 0 },
        { group: 'quality_gate_configs', created: 6, updated: 0, unchanged: 0 },
        { group: 'implementation_modes', created: 3, updated: 0, unchanged: 0 },
      ],
      total: 11,
    });
    const before = await sandbox.records();
    const second = await sandbox.program(['graphiti', 'seed']);
    expect(second.stdout).toBe(
      'role_constraints: 0 created, 0 updated, 2 unchanged\n' +
        'quality_gate_configs: 0 created, 0 updated, 6 unchanged\n' +
        'implementation_modes: 0 created, 0 updated, 3 unchanged\n',
    );
    expect(await sandbox.records()).toEqual(before);
    expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
  });

  it('says with --dry-run what it would write, and writes nothing', async () => {
    const { stdout } = await sandbox.graphiti(['seed', '--dry-run']);
    expect(stdout).toContain('would seed quality_gate_configs: 6 created, 0 updated, 0 unchanged\n');
    expect((await sandbox.json(['status'])).episodes).toBe(0);
  });

  it('writes only the groups that are asked for, each once', async () => {
    const args = ['seed', '--group', 'role_constraints', '--group', 'role_constraints'];
    expect(await sandbox.json(args)).toEqual({
      groups: [{ group: 'role_constraints', created: 2, updated: 0, unchanged: 0 }],
      total: 2,
    });
  });

  it.each(['unknown', 'turn_states', 'guards'])(
    'refuses the group %s, and names those it has',
    async (group) => {
      const { stderr, exitCode } = await sandbox.graphiti(['seed', '--group', group]);
      expect(stderr).toContain(`There is nothing to seed in ${group}.`);
      for (const name of GROUPS) expect(stderr).toContain(name);
      expect(exitCode).toBe(2);
    },
  );

  it('leaves what somebody changed, says so, and overwrites it with --force', async () => {
    await sandbox.graphiti(['seed']);
    const { episodes } = await sandbox.json(['show', 'MODE-direct']);
    const [{ body }] = episodes as [{ body: Record<string, unknown> }];
    await sandbox.graphiti(
      ['add', 'implementation_modes', '--id', 'MODE-direct', '--type', 'implementation_mode', '--body', '-'],
      { input: JSON.stringify({ ...body, pitfalls: ['Ours'] }) },
    );

    const kept = await sandbox.graphiti(['seed']);
    expect(kept.stdout).toContain(
      'implementation_modes: 0 created, 0 updated, 3 unchanged\n' +
        '  left as somebody changed them: MODE-direct (--force overwrites them)\n',
    );
    expect((await sandbox.graphiti(['show', 'MODE-direct'])).stdout).toContain('"Ours"');

    const forced = await sandbox.graphiti(['seed', '--force']);
    expect(forced.stdout).toContain('implementation_modes: 0 created, 1 updated, 2 unchanged\n');
    expect((await sandbox.graphiti(['show', 'MODE-direct'])).stdout).not.toContain('"Ours"');
  });

  it('does not wait for another writer when it has nothing to write', async () => {
    await sandbox.graphiti(['seed']);
    const { default: Database } = await import('better-sqlite3');
    const other = new Database(sandbox.database);
    try {
      other.exec('BEGIN IMMEDIATE');
      const { stdout, exitCode } = await sandbox.graphiti(['seed']);
      expect(stdout).toContain('role_constraints: 0 created, 0 updated, 2 unchanged');
      expect(exitCode).toBe(0);
    } finally {
      other.close();
    }
  });
});
