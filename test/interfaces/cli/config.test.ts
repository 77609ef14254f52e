import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';

const GATES = `quality_gate_configs:
  - task_type: feature
    complexity_range: [4, 6]
    coverage_threshold: 0.82
`;
const OVERRIDES = `role_constraints:
  coach:
    must_do_additions: [Verify that money is never a float]
quality_gate_configs:
  feature:
    overrides:
      - complexity_range: [5, 10]
        arch_review_threshold: 80
`;

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

function writeRules(gates: string, overrides: string): void {
  sandbox.write('shop/.guardkit/config/quality-gates.yaml', gates);
  sandbox.write('shop/.guardkit/config/entity-overrides.yaml', overrides);
}

const explain = (...args: string[]) => sandbox.guardkit(['config', 'explain', ...args], { in: 'shop' });
const failure = (...args: string[]) => sandbox.failure(['config', 'explain', ...args], { in: 'shop' });

describe('config explain', () => {
  it('gives each gate with where it comes from and what it overrode [RULE-5]', async () => {
    writeRules(GATES, OVERRIDES);
    await sandbox.graphiti(['seed'], { in: 'shop' });
    const { stdout, stderr, exitCode } = await explain('gates', '--type', 'feature', '--complexity', '5');
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^ *coverage_threshold +0\.82 +\[quality-gates\.yaml:4\] .* 0\.8 \[system\]/m);
    expect(stdout).toMatch(/^ *arch_review_threshold +80 +\[entity-overrides\.yaml:8\] .* 60 \[system\]/m);
  });

  it('gives gates as the schema’s names with value and origin', async () => {
    writeRules(GATES, OVERRIDES);
    const { stdout } = await explain('gates', '--type', 'bugfix', '--complexity', '5', '--json');
    expect(JSON.parse(stdout)).toEqual({
      task_type: { value: 'feature', origin: 'quality-gates.yaml:2' },
      complexity_range: { value: [4, 6], origin: 'quality-gates.yaml:2' },
      arch_review_required: { value: true, origin: 'built-in' },
      arch_review_threshold: { value: 80, origin: 'entity-overrides.yaml:8' },
      coverage_required: { value: true, origin: 'built-in' },
      coverage_threshold: { value: 0.82, origin: 'quality-gates.yaml:4' },
      tests_required: { value: true, origin: 'built-in' },
      tests_must_pass: { value: true, origin: 'built-in' },
      effective_from: { value: '2026-01-01T00:00:00.000Z', origin: 'built-in' },
    });
  });

  it('gives a role as four lists of value and origin', async () => {
    writeRules(GATES, OVERRIDES);
    const { stdout } = await explain('roles', 'coach', '--json');
    const lists = JSON.parse(stdout);
    expect(Object.keys(lists)).toEqual(['must_do', 'must_not_do', 'ask_before', 'escalate_when']);
    expect(lists.must_do.at(-1)).toEqual({
      value: 'Verify that money is never a float',
      origin: 'entity-overrides.yaml:3',
    });
  });

  it('advises a mode when the store is seeded, and gives null when it is not', async () => {
    expect((await explain('mode', '--complexity', '7', '--json')).stdout).toBe('null\n');
    await sandbox.graphiti(['seed'], { in: 'shop' });
    const { stdout } = await explain('mode', '--type', 'feature', '--complexity', '7', '--json');
    expect(Object.keys(JSON.parse(stdout))).toEqual(['mode', 'ceremony_level', 'when_to_use', 'pitfalls']);
    expect(JSON.parse(stdout).mode).toBe('autobuild');
  });

  it('does not claim that a store which is away holds no modes', async () => {
    const away = await explain('mode', '--complexity', '7');
    await sandbox.graphiti(['seed', '--group', 'role_constraints'], { in: 'shop' });
    const empty = await explain('mode', '--complexity', '7');
    expect(away.stdout).not.toBe(empty.stdout);
    expect(away.stderr).toContain(sandbox.database);
    expect(empty.stderr).toBe('');
  });

  it('says in one line that memory is off, and makes no store [RULE-7]', async () => {
    const { stderr, exitCode } = await explain('gates', '--complexity', '5');
    expect(exitCode).toBe(0);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(sandbox.database)]);
    expect(existsSync(sandbox.database)).toBe(false);
  });

  it('works outside a project, by what is built in', async () => {
    const { stdout, exitCode } = await sandbox.guardkit(['config', 'explain', 'gates', '--complexity', '2']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('0.7');
  });

  it.each([
    [['roles'], 'usage player, coach'],
    [['roles', 'referee'], 'usage "referee" player, coach'],
    [['gates'], 'usage --complexity'],
    [['gates', '--complexity', '11'], 'complexity.range 11'],
    [['gates', '--complexity', 'high'], 'usage --complexity:'],
    [['gates', '--type', 'featur', '--complexity', '5'], 'task-type.unknown "featur" feature?'],
    [['mode', '--type', 'nonsense', '--complexity', '5'], 'task-type.unknown "nonsense"'],
    [['thresholds'], 'usage what: roles, gates mode'],
  ])('%j is wrong use, with what to do instead [CLI-1]', async (args, expected) => {
    const failed = await failure(...args);
    expectFailure(failed, expected);
    expect(failed.exitCode).toBe(2);
  });

  it('refuses to explain files that have faults, with all of them', async () => {
    writeRules(GATES.replace('0.82', '82'), OVERRIDES.replace('overrides:', 'overides:'));
    expect(await failure('gates', '--complexity', '5')).toMatchObject({
      exitCode: 2,
      code: 'config.invalid',
      message: expect.stringMatching(/quality-gates\.yaml:4:25[\s\S]*overides.*overrides/),
      faults: [{ code: 'invalid-value' }, { code: 'unknown-key' }],
    });
  });
});

describe('config check', () => {
  const check = (...args: string[]) => sandbox.guardkit(['config', 'check', ...args], { in: 'shop' });

  it('finds nothing wrong in files that are not there', async () => {
    expect(await check()).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^✓/) });
  });

  it('lists every fault of every file at once and answers no [RULE-10]', async () => {
    writeRules(GATES.replace('0.82', '82'), OVERRIDES.replace('feature:', 'featur:'));
    sandbox.write('shop/.guardkit/config.yaml', 'project: shop\nretension: {}\n');
    const { stdout, exitCode } = await check('--json');
    expect(exitCode).toBe(1);
    const { ok, faults } = JSON.parse(stdout);
    expect(ok).toBe(false);
    expect(faults.map(({ file, line }: { file: string; line: number }) => [file, line])).toEqual([
      ['.guardkit/config.yaml', 2],
      ['.guardkit/config/quality-gates.yaml', 4],
      ['.guardkit/config/entity-overrides.yaml', 5],
    ]);
  });

  it('warns of a stored copy that is behind the file, until it is seeded', async () => {
    writeRules(GATES, OVERRIDES);
    await sandbox.graphiti(['seed', '--group', 'role_constraints'], { in: 'shop' });
    const warnings = async () => JSON.parse((await check('--json')).stdout).warnings;
    expect(await warnings()).toEqual([expect.stringContaining('quality-gates.yaml')]);
    await sandbox.graphiti(['seed'], { in: 'shop' });
    expect(await warnings()).toEqual([]);
  });

  it('warns of a removal that removes nothing', async () => {
    writeRules('', 'role_constraints: {player: {must_do_removals: [Fly]}}\n');
    const { exitCode, stdout } = await check('--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).warnings).toContainEqual(
      expect.stringMatching(/entity-overrides\.yaml:1.*must_do.*Fly/),
    );
  });
});
