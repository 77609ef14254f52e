import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CoachVerdict, PlayerReport } from '../../src/domain/entities/agent-answers.ts';
import { turnRecord } from '../../src/orchestration/turns/turn-record.ts';
import { findSandbox, type SandboxStatus } from '../../src/platform/sandbox/find-sandbox.ts';
import { claudeProgram, use } from '../orchestration/drivers/driver-benches.ts';
import { BuildProject, type Built, type BuiltJson } from '../support/build-project.ts';
import { type Reply, startMessagesServer } from '../support/messages-server.ts';
import { testFile } from '../support/verified-project.ts';
import { ScriptedAgents } from './scripted-agents.ts';

const WITHOUT_PROGRAM = claudeProgram() ? '' : ' (the Claude Agent SDK has no program for this system here)';

const BUILD_MS = 180_000;
const TEST_NAME = 'AC-001 subtracts two numbers';
const WRONG = 'export const sub = (a, b) => b - a;\n';
const RIGHT = 'export const sub = (a, b) => a - b;\n';
const PLAN = '# Plan\n\n1. Write src/sub.js\n2. Show AC-001 with test/sub.test.js\n';
const REJECTION = 'sub(3, 2) gives -1: the operands in src/sub.js are the wrong way round.';

function report(given: Partial<PlayerReport>): Reply {
  const whole: PlayerReport = {
    decision: 'implemented',
    summary: 'Added sub',
    files_modified: [],
    tests_passed: null,
    tests_failed: null,
    criteria: { 'AC-001': 'verified' },
    progress: '',
    blockers: [],
    lessons: [],
    ...given,
  };
  return {
    content: [{ type: 'tool_use', name: 'StructuredOutput', input: whole }],
    usage: { input_tokens: 2000, output_tokens: 300 },
  };
}

function verdict(given: Partial<CoachVerdict>): Reply {
  const whole: CoachVerdict = {
    decision: 'approved',
    criteria: {},
    arch_score: 80,
    feedback: '',
    lessons: [],
    what_to_try_next: null,
    ...given,
  };
  return {
    content: [{ type: 'tool_use', name: 'StructuredOutput', input: whole }],
    usage: { input_tokens: 3000, output_tokens: 200 },
  };
}

/** A Player that claims too much, then adds a failing test, then fixes the code; a Coach that believes it at first. */
function agentsOf(project: BuildProject, { sandboxed }: { sandboxed: boolean }): ScriptedAgents {
  const own = (path: string) => join(project.worktree, path);
  const persons = (path: string) => project.path(path);
  return new ScriptedAgents({
    'Planner 1': [{ content: [{ type: 'text', text: PLAN }] }],
    'Player 1': [
      use('Write', { file_path: persons('src/sub.js'), content: WRONG }),
      use('Write', { file_path: own('src/sub.js'), content: WRONG }),
      // Only the sandbox limits a shell.
      ...(sandboxed ? [use('Bash', { command: `cp src/sub.js ${persons('src/sub.js')}` })] : []),
      report({ files_modified: ['src/sub.js'], tests_passed: 12, tests_failed: 0 }),
    ],
    'Coach 1': [
      use('Grep', { pattern: 'b - a', output_mode: 'content' }),
      use('Write', { file_path: own('src/sub.js'), content: RIGHT }),
      use('Bash', { command: `cp src/add.js ${own('src/copied.js')}` }),
      verdict({
        criteria: { 'AC-001': { status: 'verified', evidence: 'tests' } },
        feedback: 'Looks fine to me.',
      }),
    ],
    'Player 2': [
      use('Write', {
        file_path: own('test/sub.test.js'),
        content: testFile(TEST_NAME, 'sub', 'sub(3, 2)', '1'),
      }),
      report({ summary: 'Added a test', files_modified: ['test/sub.test.js'], tests_passed: 2 }),
    ],
    'Coach 2': [
      verdict({
        decision: 'rejected',
        criteria: { 'AC-001': { status: 'failed', evidence: null } },
        feedback: REJECTION,
        lessons: ['Run the tests before reporting'],
        what_to_try_next: 'Swap the operands',
      }),
    ],
    'Player 3': [
      use('Read', { file_path: own('src/sub.js') }),
      use('Edit', { file_path: own('src/sub.js'), old_string: 'b - a', new_string: 'a - b' }),
      use('Bash', { command: 'node --test test/*.test.js' }),
      use('Bash', { command: 'git diff' }),
      report({
        summary: 'Swapped the operands',
        files_modified: ['src/sub.js'],
        tests_passed: 2,
        tests_failed: 0,
      }),
    ],
    'Coach 3': [
      verdict({ criteria: { 'AC-001': { status: 'verified', evidence: TEST_NAME } }, feedback: 'Good.' }),
    ],
  });
}

describe.skipIf(WITHOUT_PROGRAM !== '')(`feature-build with the real Claude Code${WITHOUT_PROGRAM}`, () => {
  const ends: (() => void)[] = [];
  let project: BuildProject;
  let sandbox: SandboxStatus;
  let agents: ScriptedAgents;
  let before: ReturnType<BuildProject['checkout']>;
  let built: Built;

  beforeAll(async () => {
    project = new BuildProject();
    ends.push(() => project.cleanup());
    project.workInProgress();
    before = project.checkout();
    sandbox = await findSandbox(project.sandbox.env);
    agents = agentsOf(project, { sandboxed: sandbox.available });
    const server = await startMessagesServer(agents.script, (close) => ends.push(close));
    const result = await project.guardkit(['feature-build', 'TASK-001', '--driver', 'claude', '--json'], {
      env: { ...server.env(project.sandbox.path('home')), ...project.sandbox.env },
    });
    if (!result.stdout.startsWith('{')) throw new Error(`nothing was built: ${result.stderr}`);
    const json = JSON.parse(result.stdout) as BuiltJson;
    built = { ...result, json, turns: json.tasks?.[0]?.turns ?? [] };
  }, BUILD_MS);

  afterAll(() => {
    for (const end of ends.reverse()) end();
  });

  it('three turns of real edits and real gates end in an approval', () => {
    const { exitCode, json, turns } = built;
    expect(agents.unexpected).toEqual([]);
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({
      feature: 'TASK-001',
      outcome: 'approved',
      tasks: [{ task: 'TASK-001', outcome: 'approved' }],
      worktree: project.worktree,
      branch: 'guardkit/TASK-001',
      next: expect.stringContaining('guardkit feature complete TASK-001'),
    });
    expect(turns).toMatchObject([
      { turn_number: 1, coach_decision: 'feedback', tests_passed: 1, tests_failed: 0, coverage: 0 },
      { turn_number: 2, coach_decision: 'rejected', tests_passed: 1, tests_failed: 1, coverage: 100 },
      { turn_number: 3, coach_decision: 'approved', tests_passed: 2, tests_failed: 0, coverage: 100 },
    ]);
    expect(turns.map((turn) => turn.files_modified)).toEqual([
      ['src/sub.js'],
      ['test/sub.test.js'],
      ['src/sub.js'],
    ]);
    expect(turns.map((turn) => turnRecord(turn).gates)).toMatchObject([
      { tests: 'pass', coverage: 'fail', 'new-tests-bite': 'fail' },
      { tests: 'fail', coverage: 'pass', 'new-tests-bite': 'fail' },
      { tests: 'pass', coverage: 'pass', 'new-tests-bite': 'pass' },
    ]);
    expect(turns.map((turn) => turn.acceptance_criteria_status['AC-001'])).toEqual([
      'in_progress',
      'failed',
      'verified',
    ]);
    expect(agents.toolResult('Player 3', 2)).toContain(`ok 2 - ${TEST_NAME}`);
    expect(agents.toolResult('Player 3', 3)).toContain(`+${RIGHT.trim()}`);
    expect(turns.map((turn) => turnRecord(turn).criteria_evidence)).toEqual([
      {},
      {},
      { 'AC-001': TEST_NAME },
    ]);
  });

  it('an approval without evidence becomes feedback with the missing criteria', () => {
    const [turn] = built.turns;
    expect(turn?.coach_verdict).toMatchObject({ decision: 'approved' });
    expect(turn?.coach_decision).toBe('feedback');
    expect(turn?.overridden_because).toEqual([
      expect.stringMatching(/\bcoverage\b/),
      expect.stringMatching(/\bnew-tests-bite\b/),
      expect.stringMatching(/AC-001 \(subtracts two numbers\).*"tests"/),
    ]);
    expect(built.turns[1]).not.toHaveProperty('overridden_because');
    expect(built.turns[2]).not.toHaveProperty('overridden_because');
  });

  it('each turn’s prompt contains the previous feedback and continues the session', () => {
    const [first, second, third] = ([1, 2, 3] as const).map((turn) => agents.first(`Player ${turn}`));
    expect(first?.prompt).not.toContain('Previous Turn Summary');
    expect(first?.prompt).toContain('2. Show AC-001 with test/sub.test.js');
    expect(second?.prompt).toContain('## Previous Turn Summary (Turn 1)');
    expect(second?.prompt).toContain(built.turns[0]?.coach_feedback);
    expect(second?.prompt).toMatch(/\b12 tests\b.*\b1\b/);
    expect(second?.prompt).not.toContain('MUST ADDRESS');
    expect(third?.prompt).toContain('**Coach decision**: REJECTED');
    expect(third?.prompt).toContain(`Last Turn Feedback (MUST ADDRESS):\n${REJECTION}`);
    expect(third?.prompt).toContain('Run the tests before reporting');
    expect(third?.prompt).toContain('Swap the operands');
    expect(JSON.stringify(third?.request.messages)).toContain('Turn 1 of 5');
  });

  it('the Coach sees GuardKit’s results, and judges every turn in a new session', () => {
    const second = agents.first('Coach 2');
    expect(second.prompt).toContain(`- test/sub.test.js > ${TEST_NAME}`);
    expect(second.prompt).toMatch(/\btests: FAIL\b.*\b1\b.*\b2\b/);
    expect(second.prompt).toContain('Coach decision: FEEDBACK');
    const line = /^.*\bTurn 1 of 5\b.*$/m.exec(agents.first('Coach 1').prompt)?.[0];
    expect(line).toMatch(/\S/);
    expect(second.request.messages.map(({ content }) => JSON.stringify(content)).join()).not.toContain(line);
  });

  it('the Player cannot write to the person’s checkout', () => {
    expect(agents.toolResult('Player 1', 0)).toMatch(/"is_error":true/);
    expect(project.log()).toContain(project.path('src/sub.js'));
    expect(project.checkout()).toEqual(before);
  });

  it('nor by a command', (context) => {
    if (!sandbox.available) context.skip(sandbox.why);
    expect(agents.toolResult('Player 1', 2)).toMatch(/cannot create regular file.*"is_error":true/);
    expect(project.checkout()).toEqual(before);
  });

  it('the Coach reads the candidate and cannot write', () => {
    const offered = agents.first('Coach 1').request.tools.map(({ name }) => name);
    expect(offered).toEqual(expect.arrayContaining(['Read', 'Grep', 'Glob', 'StructuredOutput']));
    expect(offered.filter((name) => /Write|Edit|Bash|Agent|Task/.test(name))).toEqual([]);
    expect(agents.toolResult('Coach 1', 0)).toContain('src/sub.js:1:export const sub = (a, b) => b - a;');
    expect(agents.toolResult('Coach 1', 1)).toContain('No such tool available');
    expect(agents.toolResult('Coach 1', 2)).toContain('No such tool available');
    // The finding of turn 2’s Player, in its ref.
    expect(fileOf(2, 'src/sub.js')).toBe(WRONG.trim());
    expect(existsSync(join(project.worktree, 'src/copied.js'))).toBe(false);
  });

  it('every turn has a ref with the judged files', () => {
    expect(project.refs()).toEqual([1, 2, 3].map(turnRef));
    expect(fileOf(1, 'src/sub.js')).toBe(WRONG.trim());
    expect(fileOf(3, 'src/sub.js')).toBe(RIGHT.trim());
    expect(project.git('rev-parse', built.json.branch)).toBe(project.git('rev-parse', turnRef(3)));
    expect(readFileSync(join(project.worktree, 'src/sub.js'), 'utf8')).toBe(RIGHT);
    expect(built.turns.map((turn) => turnRecord(turn).tree)).toEqual(
      [1, 2, 3].map((turn) => project.treeOf(project.git('rev-parse', turnRef(turn)))),
    );
  });

  it('tokens and cost of the agents are recorded', () => {
    const records = built.turns.map(turnRecord);
    // Of all requests: the planner's, the Player's and the Coach's.
    const more = sandbox.available ? 1 : 0;
    expect(records.map((record) => record.input_tokens)).toEqual([5060 + 10 * more, 5010, 5040]);
    expect(records.map((record) => record.output_tokens)).toEqual([530 + 5 * more, 505, 520]);
    const costs = records.map((record) => record.cost_usd ?? 0);
    expect(Math.min(...costs)).toBeGreaterThan(0);
    const sum = costs.reduce((total, cost) => total + cost, 0);
    expect(built.json).toMatchObject({ cost_usd: expect.closeTo(sum, 6) });
    const ended = project.entries().findLast(({ kind }) => kind === 'build_ended');
    expect(ended?.body).toMatchObject({ outcome: 'approved', cost_usd: expect.closeTo(sum, 6) });
  });

  function turnRef(turn: number): string {
    return `refs/guardkit/TASK-001/TASK-001/T${turn}`;
  }

  function fileOf(turn: number, path: string): string {
    return project.git('show', `${turnRef(turn)}:${path}`);
  }
});
