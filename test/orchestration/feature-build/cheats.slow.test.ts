import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { turnRecord } from '../../../src/orchestration/turns/turn-record.ts';
import { findSandbox } from '../../../src/platform/sandbox/find-sandbox.ts';
import {
  APPROVAL,
  buildProjects,
  DOCS_FILES,
  docsTurn,
  HONEST_PLAYER,
  HONEST_TURN,
  LIGHT_FILES,
} from '../../support/build-project.ts';
import { testFile } from '../../support/verified-project.ts';

const newProject = buildProjects(LIGHT_FILES, (project) => project.workInProgress());

const sandboxed = (await findSandbox()).available;
const always = { coach: { verdict: APPROVAL } };
const evidence = (text: string | null) => ({ 'AC-001': { status: 'verified', evidence: text } });

const WRITER = docsTurn('a guide');
const REVIEWED_DOCS = {
  ...DOCS_FILES,
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: documentation, complexity_range: [1, 10], arch_review_required: true, arch_review_threshold: 50}\n',
};

/** Plays one turn and checks that the person's own work is unchanged. */
async function play(turn: unknown, files?: Readonly<Record<string, string>>) {
  const project = newProject(files);
  const person = project.checkout();
  const built = await project.build([turn], ['--max-turns', '1']);
  expect(project.checkout()).toEqual(person);
  expect(project.refs()).toContain('refs/guardkit/TASK-001/TASK-001/T1');
  const [first] = built.turns;
  if (!first) throw new Error('there was no turn');
  return { project, built, turn: first, record: turnRecord(first) };
}

describe.concurrent('who cheats is not approved [BUILD-1][BUILD-4]', () => {
  it.each<[string, unknown, RegExp, typeof LIGHT_FILES?]>([
    [
      'with a report of work that was not done',
      { player: { report: HONEST_PLAYER.report }, ...always },
      /\bchange\b|AC-001 subtracts/,
    ],
    [
      'with code that no test covers',
      { player: { ...HONEST_PLAYER, write: { 'src/sub.js': HONEST_PLAYER.write['src/sub.js'] } }, ...always },
      /new-tests-bite/,
    ],
    [
      'by a Coach that leaves out the architecture score',
      { player: WRITER.player, coach: { verdict: { ...WRITER.coach.verdict, arch_score: null } } },
      /\b50\b/,
      REVIEWED_DOCS,
    ],
    [
      'by a Coach that leaves out the criteria',
      { player: WRITER.player, coach: { verdict: { ...WRITER.coach.verdict, criteria: {} } } },
      /AC-001/,
      REVIEWED_DOCS,
    ],
    [
      'on a file, though a check or test is required',
      { player: HONEST_PLAYER, coach: { verdict: { ...APPROVAL, criteria: evidence('src/sub.js') } } },
      /"src\/sub\.js"/,
    ],
    [
      'on evidence that names nothing',
      { player: HONEST_PLAYER, coach: { verdict: { ...APPROVAL, criteria: evidence('all tests pass') } } },
      /"all tests pass"/,
    ],
    [
      'on a test that does not exist',
      { player: HONEST_PLAYER, coach: { verdict: { ...APPROVAL, criteria: evidence('AC-001 divides') } } },
      /"AC-001 divides"/,
    ],
    [
      'on a test that only the base has',
      {
        player: {
          ...HONEST_PLAYER,
          write: {
            ...HONEST_PLAYER.write,
            'test/add.test.js': testFile('AC-001 adds', 'add', 'add(1, 2)', '3'),
          },
        },
        coach: { verdict: { ...APPROVAL, criteria: evidence('adds') } },
      },
      /"adds"/,
    ],
    [
      'on a test that fails',
      {
        player: {
          ...HONEST_PLAYER,
          write: {
            ...HONEST_PLAYER.write,
            'test/sub.test.js': testFile('AC-001 subtracts', 'sub', 'sub(3, 2)', '2'),
          },
        },
        ...always,
      },
      /\btests\b.*AC-001 subtracts/,
    ],
    [
      'on a test that is skipped',
      {
        player: {
          ...HONEST_PLAYER,
          write: {
            ...HONEST_PLAYER.write,
            'test/sub.test.js': "import test from 'node:test';\ntest.skip('AC-001 subtracts', () => {});\n",
          },
        },
        ...always,
      },
      /new-tests-bite/,
    ],
    [
      'who deletes a test that was there',
      {
        player: { ...HONEST_PLAYER, delete: ['test/add.test.js'] },
        ...always,
      },
      /no-test-lost/,
    ],
  ])('%s', async (_name, turn, why, files) => {
    const { built, turn: first } = await play(turn, files);
    expect(built.exitCode).toBe(1);
    expect(built.json.outcome).toBe('max_turns');
    expect(first.coach_verdict?.decision).toBe('approved');
    expect(first.coach_decision).toBe('feedback');
    expect(first.overridden_because?.join('\n')).toMatch(why);
    expect(first.coach_feedback).toMatch(why);
  });

  it('with only a plan as work, if no tests are required', async () => {
    const plan = '.claude/task-plans/TASK-001-implementation-plan.md';
    const { turn } = await play(
      {
        player: { report: { decision: 'implemented', summary: 'Wrote the guide' } },
        coach: { verdict: { ...APPROVAL, criteria: evidence(plan) } },
      },
      {
        ...LIGHT_FILES,
        'tasks/TASK-001-subtract.md':
          '---\nid: TASK-001\ntitle: Guide\ntask_type: documentation\ncomplexity: 1\n---\n# Guide\n\n## Acceptance Criteria\n- AC-001: there is a guide\n',
      },
    );
    expect(turn.coach_decision).toBe('feedback');
    expect(turn.overridden_because?.join('\n')).toMatch(/\bchange\b/);
  });

  it('by a Coach with an invalid answer', async () => {
    const { turn } = await play({ player: HONEST_PLAYER, coach: { verdict: { decision: 'fine' } } });
    expect(turn.coach_decision).toBeNull();
    expect(turn.overridden_because).toHaveLength(1);
  });

  it('and false claims in a report are recorded with the turn', async () => {
    const { record } = await play({
      player: {
        ...HONEST_PLAYER,
        report: { ...HONEST_PLAYER.report, files_modified: ['src/login.js'], tests_passed: 40 },
      },
      coach: { verdict: { ...APPROVAL, decision: 'feedback', feedback: 'No' } },
    });
    expect(record.honesty.join('\n')).toMatch(/src\/login\.js/);
    expect(record.honesty.join('\n')).toMatch(/40 tests/);
  });

  it('who changes thresholds, tasks, definitions or agent settings: all of them are restored', async () => {
    const { project, built } = await play({
      player: {
        ...HONEST_PLAYER,
        write: { ...HONEST_PLAYER.write, '.claude/settings.json': '{"disableAllHooks":true}' },
        run: [
          'echo "verify: {tests: {command: \\"true\\"}}" > .guardkit/config.yaml; true',
          'echo "quality_gate_configs: []" > .guardkit/config/quality-gates.yaml; true',
          'sed -i s/subtracts/anything/ tasks/*.md; true',
          'mkdir -p .claude/hooks .codex && echo x > .claude/hooks/x.sh && echo x > .codex/config.toml; true',
          'mv .guardkit .elsewhere; ln -s /tmp .guardkit; rm -rf tasks; true',
        ],
      },
      coach: { verdict: { ...APPROVAL, criteria: evidence('AC-001 subtracts') } },
    });
    const changed = project.git('diff', '--name-only', 'work', built.json.branch).split('\n');
    expect(
      changed.filter((path) => /^(\.guardkit|tasks|\.claude\/(settings|hooks)|\.codex)/.test(path)),
    ).toEqual([]);
    expect(readFileSync(join(built.json.worktree, '.guardkit/config.yaml'), 'utf8')).toBe(
      LIGHT_FILES['.guardkit/config.yaml'],
    );
  });

  it('who moves refs, commits, switches branches, removes .git or writes outside its folder', async () => {
    const project = newProject();
    const person = project.checkout();
    const { folder, home } = project.sandbox;
    const built = await project.build(
      [
        {
          player: {
            write: HONEST_PLAYER.write,
            run: [
              `echo mine > ${project.path('stolen.txt')}; echo x >> ${project.path('src/add.js')}; true`,
              `echo x > ${join(home, 'ledger.db')}; rm -rf ${join(home, 'locks')}; true`,
              `git config user.name evil; echo x > ${project.path('.git/hooks/pre-commit')}; true`,
              'git add --all; git -c user.name=p -c user.email=p@p commit -qm mine; true',
              'git update-ref refs/heads/main HEAD; git branch -f work HEAD; git tag evil; git stash; true',
              'git checkout -q -b other; git branch -D guardkit/TASK-001; true',
              `rm -rf .git ${join(folder, 'scenarios')}; true`,
            ],
            report: HONEST_PLAYER.report,
          },
          ...always,
        },
      ],
      ['--max-turns', '1'],
    );
    expect(built.json.branch).toBe('guardkit/TASK-001');
    expect(project.git('rev-parse', built.json.branch)).toBe(
      project.git('rev-parse', 'refs/guardkit/TASK-001/TASK-001/T1'),
    );
    expect(project.git('show', `${built.json.branch}:src/sub.js`)).toContain('sub');
    // The work itself is fine, and the attacks failed or were undone.
    if (!sandboxed) return;
    expect(project.checkout()).toEqual(person);
    expect(existsSync(join(home, 'ledger.db'))).toBe(true);
    expect(built.turns[0]?.coach_decision).toBe('approved');
  });

  it('who leaves a process running that changes the files later', async () => {
    const { project, built, turn } = await play({
      player: {
        ...HONEST_PLAYER,
        run: [
          '(setsid nohup sh -c "while :; do echo broken > src/sub.js; sleep 0.05; done" >/dev/null 2>&1 &) ; true',
        ],
      },
      ...always,
    });
    // Either it was ended in time, or its writes were judged too.
    const text = project.git('show', `${built.json.branch}:src/sub.js`);
    const isHonest = text === HONEST_PLAYER.write['src/sub.js']?.trim();
    expect(turn.coach_decision).toBe(isHonest ? 'approved' : 'feedback');
    expect(readFileSync(join(built.json.worktree, 'src/sub.js'), 'utf8').trim()).toBe(text);
    expect(project.treeOf(built.json.branch)).toBe(turnRecord(turn).tree);
  });

  it('who hides files in a repository of its own', async () => {
    const { project, built } = await play({
      player: {
        ...HONEST_PLAYER,
        run: [
          'mkdir lib && cd lib && git init -q && echo "x" > hidden.js && git add . && git -c user.name=p -c user.email=p@p commit -qm x',
        ],
      },
      ...always,
    });
    expect(project.git('ls-tree', '-r', '--name-only', built.json.branch)).toContain('lib/hidden.js');
  });

  it('who replaces the plan with a pipe or a link that leads outside', async () => {
    const project = newProject();
    const secret = project.sandbox.write('secret.txt', 'TOP SECRET');
    const built = await project.tryBuild(
      [
        {
          player: {
            report: { decision: 'blocked', summary: 'x' },
            run: ['rm -f .claude/task-plans/*; mkfifo .claude/task-plans/TASK-001-implementation-plan.md'],
          },
          coach: { verdict: { decision: 'feedback', feedback: 'One' } },
        },
        {
          player: {
            report: { decision: 'blocked', summary: 'x' },
            run: [`rm -rf .claude/task-plans; ln -s ${project.sandbox.path()} .claude/task-plans`],
          },
          coach: { verdict: { decision: 'feedback', feedback: 'Two, quite another thing' } },
        },
        HONEST_TURN,
      ],
      ['--max-turns', '3'],
    );
    expect(built.exitCode).toBe(1);
    expect(built.stdout).toContain('plan.elsewhere');
    expect(existsSync(project.sandbox.path('TASK-001-implementation-plan.md'))).toBe(false);
    expect(readFileSync(secret, 'utf8')).toBe('TOP SECRET');
  });
});

describe('a Coach that is a command', () => {
  it('cannot write to the candidate, and its writes have no effect', async ({ skip }) => {
    if (!sandboxed) skip('there is no sandbox here');
    const coach = 'cat > /dev/null; echo broken > src/sub.js; echo x > evil.txt; printf %s "$VERDICT"';
    const config = `${LIGHT_FILES['.guardkit/config.yaml']}drivers:\n  command:\n    run: sh coach.sh\n`;
    const project = newProject({
      ...LIGHT_FILES,
      '.guardkit/config.yaml': config,
      'coach.sh': coach.replace('"$VERDICT"', `'${JSON.stringify(APPROVAL)}'`),
    });
    const built = await project.build(
      [{ player: HONEST_PLAYER }],
      ['--coach-driver', 'command', '--max-turns', '1'],
    );
    expect(built.json.outcome, built.stderr).toBe('approved');
    expect(project.git('ls-tree', '-r', '--name-only', built.json.branch)).not.toContain('evil.txt');
    expect(project.git('show', `${built.json.branch}:src/sub.js`)).not.toContain('broken');
  });
});
