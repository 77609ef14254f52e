import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { turnRecord } from '../../../src/orchestration/turns/turn-record.ts';
import {
  APPROVAL,
  BuildProject,
  buildProjects,
  HONEST_PLAYER,
  HONEST_TURN,
  LIGHT_FILES,
} from '../../support/build-project.ts';

const newProject = buildProjects(LIGHT_FILES, ({ sandbox }) => {
  sandbox.noSandbox = 'bubblewrap is not installed';
});

const COMMIT = 'git add --all; git -c user.name=p -c user.email=p@p commit -qm mine';
const HONEST_SUB = HONEST_PLAYER.write['src/sub.js']?.trim();

/** Attacks that are possible without a sandbox, and are detected and restored. */
describe.concurrent('without a sandbox [BUILD-1]', () => {
  it('the first lines say so', async () => {
    const project = newProject();
    const built = await project.build([HONEST_TURN]);
    expect(built.stderr).toContain('bubblewrap is not installed');
  });

  it.each<[string, string[]]>([
    ['commits by itself', [COMMIT]],
    ['switches to a branch of its own and commits there', ['git checkout -q -b other', COMMIT]],
    ['deletes the branch', ['git checkout -q --detach; git branch -D guardkit/TASK-001']],
    [
      'points the branch at something else',
      [
        'git checkout -q --orphan bare; git branch -f guardkit/TASK-001 main~0',
        COMMIT,
        'git branch -f guardkit/TASK-001 bare',
      ],
    ],
    ['takes .git away', ['rm -f .git']],
    ['puts a repository of its own in the place of .git', ['rm -f .git; git init -q', COMMIT]],
    ['leaves the index locked', ['touch "$(git rev-parse --git-dir)/index.lock"']],
    [
      'marks files in the index as unchanged',
      [
        'git update-index --assume-unchanged src/add.js; echo "export const add = () => 0;" > src/add.js; sed -i "s/x/x/" src/add.js',
      ],
    ],
  ])('a Player that %s is judged on its files, on the branch that it was given', async (_name, commands) => {
    const project = newProject();
    const built = await project.build(
      [{ player: { ...HONEST_PLAYER, run: commands }, coach: { verdict: APPROVAL } }],
      ['--max-turns', '1'],
    );
    const [turn] = built.turns;
    if (!turn) throw new Error(built.stderr);
    const tip = project.git('rev-parse', 'guardkit/TASK-001');
    expect(project.git('rev-parse', 'refs/guardkit/TASK-001/TASK-001/T1')).toBe(tip);
    expect(project.git('show', `${tip}:src/sub.js`)).toBe(HONEST_SUB);
    expect(project.git('merge-base', '--is-ancestor', 'work', tip)).toBe('');
    expect(project.treeOf(tip)).toBe(turnRecord(turn).tree);
    const isSound = project.git('show', `${tip}:src/add.js`).includes('a + b');
    expect(turn.coach_decision).toBe(isSound ? 'approved' : 'feedback');
  });

  it('a Player that changes its own definitions has no effect on the verification', async () => {
    const project = newProject();
    const built = await project.build(
      [
        {
          player: {
            write: { 'src/sub.js': HONEST_PLAYER.write['src/sub.js'] },
            run: [
              'rm -rf .guardkit tasks; ln -s /tmp .guardkit; mkdir -p .claude/hooks; echo x > .claude/hooks/x',
              'echo .guardkit >> .gitignore',
            ],
            report: HONEST_PLAYER.report,
          },
          coach: { verdict: APPROVAL },
        },
      ],
      ['--max-turns', '1', '--json-events'],
    );
    expect(built.turns[0]?.coach_decision).toBe('feedback');
    const changed = project.git('diff', '--name-only', 'work', 'guardkit/TASK-001').split('\n');
    expect(changed.sort()).toEqual([
      '.claude/task-plans/TASK-001-implementation-plan.md',
      '.gitignore',
      'src/sub.js',
    ]);
    const config = join(built.json.worktree, '.guardkit/config.yaml');
    expect(readFileSync(config, 'utf8')).toBe(LIGHT_FILES['.guardkit/config.yaml']);
    expect(existsSync('/tmp/config.yaml')).toBe(false);
    expect(
      BuildProject.events(built).flatMap((event) => (event.type === 'committed' ? event.putBack : [])),
    ).toContain('.guardkit/config.yaml');
  });

  it('leftover processes of a Player are ended before its work is verified', async () => {
    const project = newProject();
    const built = await project.build(
      [
        {
          player: {
            ...HONEST_PLAYER,
            run: [
              '(setsid nohup sh -c "while :; do sleep 0.1; echo broken > src/sub.js; done" >/dev/null 2>&1 &) ; true',
            ],
          },
          coach: { verdict: APPROVAL },
        },
      ],
      ['--max-turns', '1'],
    );
    const [turn] = built.turns;
    if (!turn) throw new Error(built.stderr);
    const text = project.git('show', 'guardkit/TASK-001:src/sub.js');
    expect(turn.coach_decision).toBe(text === HONEST_SUB ? 'approved' : 'feedback');
    expect(project.treeOf('guardkit/TASK-001')).toBe(turnRecord(turn).tree);
    expect(readFileSync(join(built.json.worktree, 'src/sub.js'), 'utf8').trim()).toBe(text);
  });
});
