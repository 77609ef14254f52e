import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/platform/open-sqlite.ts';
import { Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';

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
    const second = await sandbox.program(['graphiti', 'seed', '--json']);
    expect(JSON.parse(second.stdout).groups).toEqual([
      { group: 'role_constraints', created: 0, updated: 0, unchanged: 2 },
      { group: 'quality_gate_configs', created: 0, updated: 0, unchanged: 6 },
      { group: 'implementation_modes', created: 0, updated: 0, unchanged: 3 },
    ]);
    expect(await sandbox.records()).toEqual(before);
    expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
  });

  it('says with --dry-run what it would write, and writes nothing', async () => {
    expect((await sandbox.json(['seed', '--dry-run'])).groups).toContainEqual(
      expect.objectContaining({ group: 'quality_gate_configs', created: 6, updated: 0, unchanged: 0 }),
    );
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
      const failed = await sandbox.failure(['graphiti', 'seed', '--group', group]);
      expectFailure(failed, ['seed.unknown-group', group, ...GROUPS].join(' '));
      expect(failed.exitCode).toBe(2);
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
    expect(kept.stdout).toMatch(/\n.*MODE-direct.*--force/);
    expect((await sandbox.json(['seed'])).groups).toContainEqual(
      expect.objectContaining({ group: 'implementation_modes', created: 0, updated: 0, unchanged: 3 }),
    );
    expect((await sandbox.graphiti(['show', 'MODE-direct'])).stdout).toContain('"Ours"');

    expect((await sandbox.json(['seed', '--force'])).groups).toContainEqual(
      expect.objectContaining({ group: 'implementation_modes', created: 0, updated: 1, unchanged: 2 }),
    );
    expect((await sandbox.graphiti(['show', 'MODE-direct'])).stdout).not.toContain('"Ours"');
  });

  it('does not wait for another writer when it has nothing to write', async () => {
    await sandbox.graphiti(['seed']);
    const other = openSqlite(sandbox.database);
    try {
      other.exec('BEGIN IMMEDIATE');
      const { stdout, exitCode } = await sandbox.graphiti(['seed', '--json']);
      expect(JSON.parse(stdout).groups[0]).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
      expect(exitCode).toBe(0);
    } finally {
      other.close();
    }
  });
});
