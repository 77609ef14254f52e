import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { turnRecord } from '../../../src/orchestration/turns/turn-record.ts';
import {
  APPROVAL,
  BuildProject,
  buildProjects,
  DOCS_FILES,
  HONEST_PLAYER,
  HONEST_TURN,
  LIGHT_FILES,
} from '../../support/build-project.ts';
import { buildCli } from '../../support/cli-worker.ts';
import { testFile } from '../../support/verified-project.ts';
import { fillRate } from '../fill-rate.ts';

const newProject = buildProjects();

/** Words of which no two are alike, so that feedback differs. */
const FEEDBACK = [
  'Handle negative numbers',
  'Document every parameter',
  'Return early on equal input',
  'Use one name',
];
const coaches = (verdict: object) => FEEDBACK.map((feedback) => ({ verdict: { ...verdict, feedback } }));
const no = { decision: 'feedback', arch_score: 60 };
const idle = { report: { decision: 'implemented', summary: 'Thought about it' } };
const failing = {
  ...HONEST_PLAYER,
  write: {
    ...HONEST_PLAYER.write,
    'test/sub.test.js': testFile('AC-001 subtracts', 'sub', 'sub(3, 2)', '5'),
  },
};

describe.concurrent('a build stops, and says what to do next [BUILD-7][BUILD-9]', () => {
  it.each<[string, string, unknown, string[], RegExp, RegExp, typeof LIGHT_FILES?]>([
    [
      'after the turns that it may take',
      'max_turns',
      coaches(no).map((coach) => ({ player: idle, coach })),
      ['--max-turns', '2'],
      /\b2\b/,
      /--resume --max-turns/,
    ],
    [
      'when the same feedback is given three times',
      'escalated',
      [{ player: idle, coach: { verdict: { ...no, feedback: 'Add a test of it' } } }],
      [],
      /\b3\b/,
      /guardkit explain TASK-001/,
    ],
    [
      'when the tests fail three times in a row',
      'escalated',
      coaches(no).map((coach) => ({ player: failing, coach })),
      [],
      /\b3\b/,
      /--resume/,
      LIGHT_FILES,
    ],
    [
      'when the Coach hands it to a person',
      'escalated',
      [{ player: idle, coach: { verdict: { decision: 'escalated', feedback: 'Which rounding?' } } }],
      [],
      /\b1\b/,
      /guardkit turns TASK-001/,
    ],
    [
      'when a criterion cannot be met',
      'escalated',
      [
        {
          player: idle,
          coach: { verdict: { ...no, feedback: 'x', criteria: { 'AC-001': { status: 'blocked' } } } },
        },
      ],
      [],
      /AC-001/,
      /guardkit task reset TASK-001/,
    ],
    [
      'when the budget is spent',
      'budget',
      coaches(no).map((coach) => ({
        player: { ...idle, cost_usd: 0.4 },
        coach: { ...coach, cost_usd: 0.3 },
      })),
      ['--budget-usd', '1'],
      /\$1\.\d\d of \$1\.00/,
      /--budget-usd/,
    ],
    [
      'when the Player gives no report three times',
      'failed',
      [{ player: { fail: 'crash' } }],
      [],
      /\b3\b/,
      /--resume/,
    ],
  ])('%s', async (_name, outcome, turns, args, why, next, files = DOCS_FILES) => {
    const project = newProject(files);
    const built = await project.build(turns, args);
    expect(built.json.outcome, built.stderr).toBe(outcome);
    expect(built.exitCode).toBe(1);
    expect(built.json).toMatchObject({
      feature: 'TASK-001',
      branch: 'guardkit/TASK-001',
      worktree: project.worktree,
    });
    const ended = project.entries().findLast(({ kind }) => kind === 'build_ended');
    expect(String(ended?.body.why)).toMatch(why);
    expect(built.json.next).toMatch(next);
    expect(fillRate(project.recordedTurns()).empty).toEqual([]);
    for (const { turn_number } of built.turns)
      expect(project.refs()).toContain(`refs/guardkit/TASK-001/TASK-001/T${turn_number}`);
  });

  it('and tells a program exactly what it said it would', async () => {
    const project = newProject(DOCS_FILES);
    const built = await project.build(
      [{ player: idle, coach: { verdict: { ...APPROVAL, what_to_try_next: 'Rest' } } }],
      ['--max-turns', '1', '--json-events'],
    );
    expect(Object.keys(built.json)).toEqual(
      expect.arrayContaining(['feature', 'outcome', 'tasks', 'worktree', 'branch', 'next']),
    );
    expect(built.json.tasks).toMatchObject([
      {
        task: 'TASK-001',
        outcome: 'max_turns',
        turns: [{ turn_number: 1, coach_decision: 'feedback', coach_verdict: { decision: 'approved' } }],
      },
    ]);
    expect(built.turns[0]?.overridden_because?.length).toBeGreaterThan(0);
    const types = BuildProject.events(built).map(({ type }) => type);
    expect(types[0]).toBe('protected');
    expect(types).toEqual(
      expect.arrayContaining([
        'build_began',
        'turn_began',
        'committed',
        'verified',
        'judged',
        'turn_captured',
        'build_ended',
      ]),
    );
  });
});

/** The program in a process of its own, which is sent signals. */
async function start(project: BuildProject, args: readonly string[]) {
  const child = spawn(process.execPath, [await buildCli(), ...args], {
    cwd: project.path(),
    env: project.sandbox.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  return { child, ended, output: () => stdout, errors: () => stderr };
}

async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await delay(20);
}

const SLOW = {
  player: { ...HONEST_PLAYER, run: ['touch started; sleep 60'], cost_usd: 0.25 },
  coach: { verdict: APPROVAL },
};

describe('a build that a person ends', () => {
  it('ends cleanly and resumes where it stopped [BUILD-10]', async () => {
    const project = newProject();
    const { child, ended, output } = await start(project, project.buildArguments([SLOW]));
    await appears(join(project.worktree, 'started'));
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: 1, signal: null });
    const json = JSON.parse(output());
    expect(json).toMatchObject({
      outcome: 'cancelled',
      cost_usd: 0.25,
      next: expect.stringContaining('--resume'),
    });
    expect(project.entries().at(-1)).toMatchObject({ kind: 'build_ended', body: { outcome: 'cancelled' } });
    // Money spent before the signal counts: no further turn starts.
    const stopped = await project.build([HONEST_TURN], ['--resume', '--budget-usd', '0.25']);
    expect(stopped.json).toMatchObject({ outcome: 'budget', cost_usd: 0.25 });
    expect(stopped.turns.map((turn) => turnRecord(turn).cost_usd)).toEqual([0.25]);
    const resumed = await project.build([HONEST_TURN], ['--resume']);
    expect(resumed.json.outcome, resumed.stderr).toBe('approved');
    expect(resumed.turns.map(({ turn_number, mode }) => [turn_number, mode])).toEqual([
      [1, 'fresh_start'],
      [2, 'recovering_state'],
    ]);
    expect(fillRate(project.recordedTurns()).empty).toEqual([]);
  });

  it('before its first turn records no attempt and does not blame the base', async () => {
    const config = LIGHT_FILES['.guardkit/config.yaml']?.replace('verify:', 'verify:\n  setup: sleep 60');
    const project = newProject({ ...LIGHT_FILES, '.guardkit/config.yaml': config ?? '' });
    const { child, ended, output, errors } = await start(project, project.buildArguments([HONEST_TURN]));
    await vi.waitFor(() => expect(errors()).toMatch(/\bsetup\b/), { timeout: 30_000 });
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(JSON.parse(output())).toMatchObject({
      outcome: 'cancelled',
      tasks: [],
      next: expect.stringContaining('`guardkit feature-build TASK-001`'),
    });
    expect(project.entries().map(({ kind }) => kind)).not.toContain('build_began');
  });

  it('ends at once at the second signal', async () => {
    const project = newProject();
    const stubborn = {
      ...SLOW,
      player: { ...SLOW.player, run: ["trap '' TERM INT; touch started; sleep 60"] },
    };
    const { child, ended } = await start(project, project.buildArguments([stubborn]));
    await appears(join(project.worktree, 'started'));
    child.kill('SIGINT');
    child.kill('SIGINT');
    const { code, signal } = await ended;
    expect(code === 1 || signal === 'SIGINT').toBe(true);
    const resumed = await project.build([HONEST_TURN], ['--resume']);
    expect(resumed.json.outcome, resumed.stderr).toBe('approved');
  });
});
