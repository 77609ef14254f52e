import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { testOf } from '../../support/run-project.ts';
import { installedBefore } from './installed-before.ts';

interface Diagnosis {
  ok: boolean;
  checks: { id: string; outcome: string }[];
}

const turn = (number: number) => ({
  player: {
    write: {
      [`src/f${number}.js`]: `export const f${number} = ${number};\n`,
      [`test/f${number}.test.js`]: testOf(`AC-001 f${number}`, `f${number}`, `f${number}`, String(number)),
    },
    report: {
      decision: 'implemented',
      summary: `Wrote f${number}`,
      files_modified: [`src/f${number}.js`],
      criteria: { 'AC-001': 'verified' },
    },
  },
  coach: {
    verdict: {
      decision: 'approved',
      criteria: { 'AC-001': { status: 'verified', evidence: `AC-001 f${number}` } },
      arch_score: 90,
      feedback: 'Good',
    },
  },
});

describe.each([['doctor --fix'], ['init --yes']])(
  'an installation of an earlier version, upgraded by `%s`',
  (command) => {
    const sandbox = installedBefore();
    afterAll(() => sandbox.cleanup());
    const person = { in: 'project', person: true };
    const json = async (args: string[]) =>
      JSON.parse((await sandbox.guardkit([...args, '--json'], person)).stdout);

    it('has hooks in the new form, and keeps its ledger, features and waivers', async () => {
      const { exitCode, stderr } = await sandbox.guardkit(command.split(' '), person);
      expect(exitCode, stderr).toBe(0);
      const diagnosis = (await json(['doctor'])) as Diagnosis;
      expect(diagnosis.checks.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
      expect(diagnosis.checks.find(({ id }) => id === 'hooks')).toMatchObject({ outcome: 'pass' });
      const settings = readFileSync(sandbox.path('project/.claude/settings.local.json'), 'utf8');
      expect(JSON.parse(settings)).toMatchObject({
        disableAllHooks: false,
        hooks: { PreToolUse: [{ hooks: [{ args: ['claude'] }] }] },
      });
      const status = await json(['status']);
      expect(status.waivers).toMatchObject([{ guard: 'protected-set' }]);
      expect(status.pending.filter(({ needs }: { needs: string }) => needs === 'acceptance')).toEqual([]);
      expect((await json(['feature', 'list'])).features).toHaveLength(3);
      const log = (await json(['log', '--kind', 'restores'])) as unknown;
      expect(JSON.stringify(log)).toContain('.guardkit/config.yaml');
    });

    it('resumes the killed run and finishes it', { timeout: 400_000 }, async () => {
      const tasks = Object.fromEntries(
        [1, 2, 3].map((number) => [`FEAT-${number}`, { turns: [turn(number)] }]),
      );
      const scenario = sandbox.write('scenario.json', { tasks });
      const run = await json(['run', '--driver', 'script', '--scenario', scenario, '--max-turns', '1']);
      expect(run).toMatchObject({ session: '20261116-364241', reason: 'all_done', blocked: [] });
      expect((run.done as { feature: string }[]).map(({ feature }) => feature)).toEqual([
        'FEAT-1',
        'FEAT-2',
        'FEAT-3',
      ]);
    });
  },
);
