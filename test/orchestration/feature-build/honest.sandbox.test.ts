import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { turnRecord } from '../../../src/orchestration/turns/turn-record.ts';
import {
  APPROVAL,
  BuildProject,
  type Built,
  buildProjects,
  DOCS_FILES,
  docsTurn,
  HONEST_PLAYER,
  HONEST_TURN,
  LIGHT_FILES,
} from '../../support/build-project.ts';
import { createDatabase } from '../../support/postgres.ts';
import { further } from '../../support/thorough.ts';
import { BASE_FILES, MEASURED_FILES, testFile } from '../../support/verified-project.ts';
import { fillRate } from '../fill-rate.ts';

const newProject = buildProjects(LIGHT_FILES, (project) => project.workInProgress());

/** Every turn is on its ref, and no knowable field is empty. */
function expectRecorded(project: BuildProject, { json }: Built): void {
  for (const { task, turns } of json.tasks) {
    for (const { turn_number } of turns)
      expect(project.refs()).toContain(`refs/guardkit/${json.feature}/${task}/T${turn_number}`);
  }
  expect(fillRate(project.recordedTurns())).toEqual({ rate: 1, empty: [] });
  const turns = json.tasks.flatMap((task) => task.turns);
  expect(project.recordedTurns()).toHaveLength(turns.length);
}

const FEATURE_FILES = {
  ...LIGHT_FILES,
  '.guardkit/features/FEAT-CALC.yaml': 'id: FEAT-CALC\nname: Calculate\ntasks: [TASK-001, TASK-002]\n',
  'tasks/TASK-001-subtract.md': BASE_FILES['tasks/TASK-001-subtract.md'] ?? '',
  'tasks/TASK-002-twice.md':
    '---\nid: TASK-002\ntitle: Twice\ntask_type: feature\ncomplexity: 2\n---\n# Twice\n\n## Acceptance Criteria\n- AC-002: subtracts twice\n',
};

describe.concurrent('honest work is approved [BUILD-3][BUILD-4][BUILD-7]', () => {
  further('in one turn, with coverage measured and everything recorded', async () => {
    const project = newProject(MEASURED_FILES);
    // A rule that nobody accepted: the build says so and does without it.
    project.write({ '.guardkit/config/quality-gates.yaml': 'quality_gate_configs: {}\n' });
    const person = project.checkout();
    const built = await project.build([HONEST_TURN]);
    expect(built.exitCode).toBe(0);
    expect(built.stderr).toContain('`guardkit accept .guardkit/config/quality-gates.yaml`');
    expect(built.json).toMatchObject({
      feature: 'TASK-001',
      outcome: 'approved',
      branch: 'guardkit/TASK-001',
    });
    expect(built.json.next).toContain('guardkit feature complete TASK-001');
    expect(built.turns[0]).toMatchObject({ coverage: 100, tests_passed: 2, tests_failed: 0, arch_score: 80 });
    expect(project.checkout()).toEqual(person);
    expectRecorded(project, built);
    const outcome = project.entries().find(({ kind }) => kind === 'task_outcome_recorded');
    expect(outcome?.body).toMatchObject({ outcome: 'approved', turns: 1 });
    // What `guardkit ci` reads as the claim of the branch.
    const trailers = '--format=%(trailers:key=Guardkit-Task,valueonly,separator=%x2c)';
    expect(project.git('log', '-1', trailers, 'guardkit/TASK-001').trim()).toBe('TASK-001');
  });

  further('task after task, and the second sees the work of the first', async () => {
    const project = newProject(FEATURE_FILES);
    const built = await project.build(
      {
        tasks: {
          'TASK-001': { turns: [HONEST_TURN] },
          'TASK-002': {
            turns: [
              {
                player: {
                  write: {
                    'src/twice.js':
                      "import { sub } from './sub.js';\nexport const twice = (a, b) => sub(sub(a, b), b);\n",
                    'test/twice.test.js': testFile('AC-002 subtracts twice', 'twice', 'twice(5, 2)', '1'),
                  },
                  report: {
                    decision: 'implemented',
                    summary: 'Twice',
                    files_modified: ['src/twice.js', 'test/twice.test.js'],
                    tests_passed: 3,
                  },
                },
                coach: {
                  verdict: {
                    ...APPROVAL,
                    criteria: { 'AC-002': { status: 'verified', evidence: 'AC-002 subtracts twice' } },
                  },
                },
              },
            ],
          },
        },
      },
      ['FEAT-CALC'],
    );
    expect(built.json.outcome, built.stderr).toBe('approved');
    expect(built.json.tasks.map(({ task, outcome }) => [task, outcome])).toEqual([
      ['TASK-001', 'approved'],
      ['TASK-002', 'approved'],
    ]);
    expect(built.json.tasks[1]?.turns[0]?.files_modified).toEqual(['src/twice.js', 'test/twice.test.js']);
    expectRecorded(project, built);
    const again = await project.build({ turns: [HONEST_TURN] }, ['FEAT-CALC']);
    expect(again.exitCode).toBe(0);
    expect(again.json.tasks).toHaveLength(2);
    // An approval is of work that is there.
    project.git('worktree', 'remove', '--force', built.json.worktree);
    project.git('branch', '--quiet', '-D', 'guardkit/FEAT-CALC');
    const anew = await project.build({ turns: [{ player: { report: { decision: 'failed' } } }] }, [
      'FEAT-CALC',
      '--max-turns',
      '1',
    ]);
    expect(anew.exitCode).toBe(1);
  });

  it('after a rejection, whose feedback the next turn must address [BUILD-6]', async () => {
    const project = newProject();
    const config = `${LIGHT_FILES['.guardkit/config.yaml']}drivers:\n  command:\n    run: sh .agent/player.sh\n`;
    project.write({ '.guardkit/config.yaml': config });
    // An agent that keeps the prompts that it is given.
    project.write({
      '.agent/player.sh': `mkdir -p prompts && cat > prompts/$GUARDKIT_TURN.txt\n${Object.entries(
        HONEST_PLAYER.write,
      )
        .map(([path, text]) => `cat > ${path} <<'END'\n${text}END`)
        .join('\n')}\nprintf %s '${JSON.stringify(HONEST_PLAYER.report)}'\n`,
    });
    project.git('add', '.guardkit/config.yaml', '.agent');
    project.sandbox.commit(project.name, 'An agent');
    const scenario = project.scenario({
      turns: [
        {
          coach: {
            verdict: {
              decision: 'rejected',
              feedback: 'Round the result to two digits, please',
              arch_score: 60,
            },
          },
        },
        { coach: { verdict: APPROVAL } },
      ],
    });
    const result = await project.guardkit([
      'feature-build',
      'TASK-001',
      '--driver',
      'command',
      '--coach-driver',
      'script',
      '--scenario',
      scenario,
      '--json',
    ]);
    const json = JSON.parse(result.stdout);
    expect(json.outcome, result.stderr).toBe('approved');
    expect(json.tasks[0].turns.map((turn: { coach_decision: string }) => turn.coach_decision)).toEqual([
      'rejected',
      'approved',
    ]);
    const prompt = readFileSync(join(json.worktree, 'prompts', '2.txt'), 'utf8');
    const emphasised = prompt.slice(prompt.indexOf('MUST ADDRESS'));
    expect(prompt).toContain('MUST ADDRESS');
    expect(emphasised).toContain('Round the result to two digits, please');
    expect(readFileSync(join(json.worktree, 'prompts', '1.txt'), 'utf8')).not.toContain('MUST ADDRESS');
  });

  further('by a Player that timed out once', async () => {
    const project = newProject(DOCS_FILES);
    const built = await project.build([
      { player: { write: { 'src/half.js': 'export const half = 1;\n' }, fail: 'timeout' } },
      docsTurn('How to add'),
    ]);
    expect(built.json.outcome).toBe('approved');
    expect(
      built.turns.map(({ player_decision, coach_decision }) => [player_decision, coach_decision]),
    ).toEqual([
      ['failed', null],
      ['implemented', 'approved'],
    ]);
    expect(built.turns[0]?.blockers_found).toHaveLength(1);
    expect(project.git('show', 'refs/guardkit/TASK-001/TASK-001/T1:src/half.js')).toContain('half');
    expectRecorded(project, built);
  });

  further('after waiting for a rate limit in the same turn', async () => {
    const project = newProject(DOCS_FILES);
    const limit = { fail: 'rate_limit', resets_in_seconds: 0.2 };
    const { player, coach } = docsTurn('How to add');
    const built = await project.build(
      [{ player: { ...player, ...limit, cost_usd: 0.25 }, coach: { ...coach, ...limit, cost_usd: 0.5 } }],
      ['--json-events'],
    );
    expect(built.json.outcome).toBe('approved');
    expect(built.turns).toHaveLength(1);
    const waits = BuildProject.events(built).filter(({ type }) => type === 'waiting');
    expect(waits).toHaveLength(2);
    expect(turnRecord(built.turns[0] as (typeof built.turns)[0]).cost_usd).toBeGreaterThanOrEqual(0.75);
  });

  further('on a base with failing tests that a person accepted: only further failures count', async () => {
    const red = testFile('adds wrongly', 'add', 'add(1, 1)', '3');
    const project = newProject({ ...MEASURED_FILES, 'test/red.test.js': red });
    const refused = await project.tryBuild([HONEST_TURN]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('build.preflight') });
    expect(project.entries().some(({ kind }) => kind === 'build_began')).toBe(false);
    const worse = {
      player: {
        ...HONEST_PLAYER,
        write: { ...HONEST_PLAYER.write, 'src/add.js': 'export const add = 1;\n' },
      },
      coach: { verdict: APPROVAL },
    };
    const better = {
      player: {
        write: { 'src/add.js': BASE_FILES['src/add.js'] ?? '' },
        report: { decision: 'implemented' },
      },
      coach: { verdict: APPROVAL },
    };
    const built = await project.build([worse, better], ['--accept-red-baseline']);
    expect(built.turns.map(({ coach_decision }) => coach_decision)).toEqual(['feedback', 'approved']);
    expect(built.turns[0]?.overridden_because?.join('\n')).toMatch(/\btests\b.*\b1\b.*\badds\b/);
    expect(built.turns[1]).toMatchObject({ tests_failed: 1, coverage: 100 });
  });

  further('of a documentation task without tests', async () => {
    const project = newProject({
      ...LIGHT_FILES,
      'tasks/TASK-001-subtract.md':
        '---\nid: TASK-001\ntitle: Guide\ntask_type: documentation\ncomplexity: 1\n---\n# Guide\n\n## Acceptance Criteria\n- AC-001: the guide tells how to add\n',
    });
    const built = await project.build([
      {
        player: {
          write: { 'docs/guide.md': '# How to add\n' },
          report: { decision: 'implemented', summary: 'Wrote it', files_modified: ['docs/guide.md'] },
        },
        coach: {
          verdict: {
            decision: 'approved',
            criteria: { 'AC-001': { status: 'verified', evidence: 'docs/guide.md' } },
          },
        },
      },
    ]);
    expect(built.json.outcome, JSON.stringify(built.turns[0]?.overridden_because)).toBe('approved');
    expectRecorded(project, built);
  });

  further('without a sandbox, which is reported', async () => {
    const project = newProject(DOCS_FILES);
    project.sandbox.noSandbox = 'bubblewrap is not installed';
    const built = await project.build([docsTurn('How to add')]);
    expect(built.json.outcome, built.stderr).toBe('approved');
    expect(built.stderr).toContain('bubblewrap is not installed');
  });

  further(
    'by the plan in the repository; without one, --require-plan refuses before the first turn',
    async () => {
      const project = newProject(DOCS_FILES);
      const refused = await project.tryBuild([docsTurn('How to add')], ['--require-plan']);
      expect(refused.exitCode).toBe(1);
      expect(refused.stdout + refused.stderr).toContain('TASK-001-implementation-plan.md');
      expect(project.recordedTurns()).toEqual([]);
      project.write({ '.claude/task-plans/TASK-001-implementation-plan.md': '# Ours\n' });
      project.git('add', '.claude');
      project.sandbox.commit(project.name, 'A plan');
      const built = await project.build([docsTurn('How to add')], ['--require-plan', '--json-events']);
      expect(built.json.outcome, built.stderr).toBe('approved');
      const roles = BuildProject.events(built).flatMap((event) =>
        event.type === 'agent_began' ? [event.role] : [],
      );
      expect(roles).toEqual(['player', 'coach']);
    },
  );

  further('without memory, which receives the turns once it is available again', async () => {
    const project = newProject(DOCS_FILES);
    const away = { env: { GUARDKIT_DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' } };
    const built = await project.build([docsTurn('How to add')], [], away);
    expect(built.exitCode).toBe(0);
    expect(built.stderr).toMatch(/Memory: +off/);
    const database = await createDatabase();
    try {
      const back = { env: { GUARDKIT_DATABASE_URL: database.url }, in: project.name };
      // The next command that uses the store delivers the waiting entries.
      await project.sandbox.graphiti(['status'], back);
      await project.guardkit(['verify', 'TASK-001', '--json'], { env: back.env });
      const found = await project.sandbox.graphiti(['search', 'TURN-TASK-001-TASK-001-T1', '--json'], back);
      expect(found.stdout).toContain('TURN-TASK-001-TASK-001-T1');
    } finally {
      await database.cleanup();
    }
  });
});
