import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../../../src/store/ledger/open-ledger.ts';
import { further } from '../../../support/thorough.ts';
import {
  BASE_FILES,
  gate,
  HONEST_CHANGE,
  MEASURED_FILES,
  VerifiedProject,
} from '../../../support/verified-project.ts';

const opened: VerifiedProject[] = [];
afterEach(() => {
  for (const project of opened.splice(0)) project.cleanup();
});
function project(files: Readonly<Record<string, string>> = MEASURED_FILES): VerifiedProject {
  const made = new VerifiedProject(files);
  opened.push(made);
  return made;
}

/** How often the tests ran on the base, by what is recorded. */
function runsOfBase(calc: VerifiedProject): number {
  const ledger = openLedger({ path: join(calc.sandbox.home, 'ledger.db') });
  const runs = ledger.entries('calc-1234', { kind: 'evidence_recorded' }).map(({ body }) => body);
  ledger.close();
  return runs.filter(({ check, tree_is }) => check === 'tests' && tree_is === 'base').length;
}

/** A verification leaves the project as it is: no file, branch, index or setting changes. */
function stateOf(calc: VerifiedProject): unknown[] {
  return [
    calc.git('status', '--porcelain'),
    calc.git('for-each-ref'),
    readFileSync(calc.path('.git/config'), 'utf8'),
    existsSync(calc.path('lcov.info')),
  ];
}

describe('guardkit verify', () => {
  it('[VERIFY-1] passes an honest change, with a table for people and one document for programs', async () => {
    const calc = project();
    calc.write(HONEST_CHANGE);
    const before = stateOf(calc);
    const { json, exitCode } = await calc.verify();
    expect(stateOf(calc)).toEqual(before);
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({ feature: 'TASK-001', outcome: 'pass', base: calc.git('rev-parse', 'HEAD') });
    expect(json.gates.filter(({ required }) => required).map(({ gate: name }) => name)).toEqual([
      'change',
      'tests',
      'coverage',
      'harness',
      'new-tests-bite',
      'no-test-lost',
    ]);
    expect(json.criteria).toEqual([
      { task: 'TASK-001', id: 'AC-001', text: 'subtracts two numbers', tests: ['AC-001 subtracts'] },
    ]);
    const text = await calc.guardkit(['verify', 'TASK-001']);
    expect(text.stdout).toMatch(/✓ tests +2\b/);
    expect(text.stdout).toContain('○ ui');
    expect(text.stdout).toMatch(/^✓ /m);
    expect(runsOfBase(calc)).toBe(1);
  });

  it('[VERIFY-7] records every run in the ledger and, through it, in memory', async () => {
    const calc = project(BASE_FILES);
    calc.write(HONEST_CHANGE);
    const { json } = await calc.verify();
    const ledger = openLedger({ path: join(calc.sandbox.home, 'ledger.db') });
    const runs = ledger.entries('calc-1234', { kind: 'evidence_recorded' }).map(({ body }) => body);
    expect(runs.map(({ check, tree_is }) => [check, tree_is])).toEqual([
      ['tests', 'base'],
      ['tests', 'base_with_new_tests'],
      ['tests', 'candidate'],
      ['coverage', 'candidate'],
    ]);
    expect(runs[2]).toMatchObject({
      command: expect.stringMatching(/^node --test .*test\/\*\.test\.js$/),
      exit: 0,
      tree: json.tree,
      tests: { passed: 2, failed: 0, runners: ['node:test'] },
      output_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const results = join(calc.sandbox.home, 'evidence', 'calc-1234', `${String(runs[2]?.id)}.tests.json`);
    expect(readFileSync(results, 'utf8')).toContain('AC-001 subtracts');
    expect(ledger.verify('calc-1234')).toMatchObject({ ok: true });
    ledger.close();
    const listed = await calc.sandbox.json(['list', 'evidence'], { in: calc.name });
    expect(listed.episodes).toHaveLength(5);
  });

  it('[VERIFY-8] reads commands, thresholds and criteria from the base, and says what it did not use', async () => {
    const calc = project();
    calc.write({
      ...HONEST_CHANGE,
      '.guardkit/config.yaml': 'project: other\nverify: {tests: {command: "true"}}\n',
      'tasks/TASK-001-subtract.md': (BASE_FILES['tasks/TASK-001-subtract.md'] ?? '').replace(
        'feature',
        'documentation',
      ),
    });
    const { json, stderr, exitCode } = await calc.verify();
    expect(exitCode).toBe(0);
    expect(gate(json, 'coverage').required).toBe(true);
    expect(stderr).toContain('.guardkit/config.yaml, tasks/TASK-001-subtract.md');
  });

  further(
    'judges on a branch against where it left main, and on main against where the work began',
    async () => {
      const calc = project();
      calc.write(HONEST_CHANGE);
      calc.commit('Work');
      const main = calc.git('rev-parse', 'main');
      expect((await calc.verify()).json.base).toBe(main);
      calc.git('checkout', '--quiet', 'main');
      calc.git('merge', '--quiet', 'work');
      expect((await calc.verify()).json).toMatchObject({ outcome: 'pass', base: main });
    },
  );

  further(
    'judges work on main that was committed before anybody verified it only from a named base',
    async () => {
      const calc = project();
      calc.git('checkout', '--quiet', 'main');
      calc.write(HONEST_CHANGE);
      calc.commit('Work');
      const unknown = await calc.verify();
      expect(gate(unknown.json, 'change')).toMatchObject({
        result: 'absent',
        remedy: expect.stringContaining('--base'),
      });
      expect(unknown.exitCode).toBe(1);
      expect((await calc.verify(['TASK-001', '--base', 'HEAD~1'])).exitCode).toBe(0);
      expect((await calc.verify()).json).toMatchObject({ outcome: 'pass' });
    },
  );

  further('keeps the results of the base by its tree unless asked to run it again', async () => {
    const calc = project();
    calc.write(HONEST_CHANGE);
    await calc.verify();
    await calc.verify(['TASK-001', '--fresh-base']);
    expect(runsOfBase(calc)).toBe(2);
  });

  further('verifies a feature by the strictest of its tasks', async () => {
    const calc = project({
      ...MEASURED_FILES,
      'tasks/TASK-002.md':
        '---\nid: TASK-002\ntitle: Docs\ntask_type: documentation\ncomplexity: 1\nfeature_id: FEAT-CALC\n---\n## Acceptance Criteria\n- is written\n',
      'tasks/TASK-001-subtract.md': (BASE_FILES['tasks/TASK-001-subtract.md'] ?? '').replace(
        'complexity: 2',
        'complexity: 8\nfeature_id: FEAT-CALC',
      ),
      '.guardkit/features/FEAT-CALC.yaml': 'id: FEAT-CALC\nname: Calculator\ntasks: [TASK-001, TASK-002]\n',
    });
    calc.write(HONEST_CHANGE);
    const { json } = await calc.verify(['FEAT-CALC']);
    expect(json).toMatchObject({ feature: 'FEAT-CALC', task: null, outcome: 'pass' });
    expect(gate(json, 'coverage').reason).toContain('85.0%');
    const one = await calc.verify(['TASK-002']);
    expect(one.json).toMatchObject({ feature: 'FEAT-CALC', task: 'TASK-002', outcome: 'pass' });
    expect(gate(one.json, 'tests').required).toBe(false);
  });

  further('reports a recent session of an agent that ran without its hooks', async () => {
    const calc = project(BASE_FILES);
    calc.write(HONEST_CHANGE);
    const hook = { command: '/data/bin/guardkit-hook codex' };
    calc.write({ '.codex/hooks.json': JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }) });
    const timestamp = new Date(Date.now() + 1000).toISOString();
    const head = { timestamp, payload: { session_id: 'unseen', cwd: calc.path() } };
    calc.sandbox.write('home/.codex/sessions/2026/11/16/rollout.jsonl', `${JSON.stringify(head)}\n`);
    const { stderr } = await calc.guardkit(['verify', 'TASK-001', '--json'], {
      env: { HOME: calc.sandbox.path('home') },
    });
    expect(stderr).toContain(timestamp);
  });
});
