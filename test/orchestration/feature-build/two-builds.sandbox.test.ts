import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import {
  APPROVAL,
  type BuildProject,
  buildProjects,
  HONEST_PLAYER,
  HONEST_TURN,
  LIGHT_FILES,
} from '../../support/build-project.ts';
import { buildCli } from '../../support/cli-worker.ts';
import { further } from '../../support/thorough.ts';
import { testFile } from '../../support/verified-project.ts';

let program = '';
beforeAll(async () => {
  program = await buildCli();
});

const newProject = buildProjects(
  {
    ...LIGHT_FILES,
    'tasks/TASK-002-double.md':
      '---\nid: TASK-002\ntitle: Double\ntask_type: feature\ncomplexity: 2\n---\n# Double\n\n## Acceptance Criteria\n- AC-001: doubles a number\n',
  },
  (project) => project.workInProgress(),
);

const DOUBLE = {
  player: {
    write: {
      'src/double.js': 'export const double = (a) => a * 2;\n',
      'test/double.test.js': testFile('AC-001 doubles', 'double', 'double(4)', '8'),
    },
    report: { decision: 'implemented', summary: 'Doubled' },
  },
  coach: {
    verdict: { ...APPROVAL, criteria: { 'AC-001': { status: 'verified', evidence: 'AC-001 doubles' } } },
  },
};

function start(project: BuildProject, args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: project.path(),
    env: project.sandbox.env,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const ended = new Promise<{ code: number | null; text: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, text }));
  });
  return { child, ended };
}

async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await delay(20);
}

further('two features are built in one repository at the same time, each as if alone [BUILD-8]', async () => {
  const project = newProject();
  const person = project.checkout();
  const one = start(project, project.buildArguments([HONEST_TURN], ['TASK-001']));
  const other = start(project, project.buildArguments([DOUBLE], ['TASK-002']));
  const [first, second] = await Promise.all([one.ended, other.ended]);
  expect(first.code, first.text).toBe(0);
  expect(second.code, second.text).toBe(0);
  const files = (branch: string) => project.git('ls-tree', '-r', '--name-only', branch);
  expect(files('guardkit/TASK-001')).toContain('src/sub.js');
  expect(files('guardkit/TASK-001')).not.toContain('src/double.js');
  expect(files('guardkit/TASK-002')).toContain('src/double.js');
  expect(project.checkout()).toEqual(person);
});

it('a second build of a feature is refused with the holder; a killed build holds no lock, and continues after its last turn [BUILD-2][BUILD-8]', async () => {
  const project = newProject();
  const slow = {
    player: { ...HONEST_PLAYER, run: ['touch started; sleep 60'] },
    coach: { verdict: APPROVAL },
  };
  const { child, ended } = start(project, project.buildArguments([slow]));
  await appears(join(project.worktree, 'started'));
  const refused = await project.tryBuild([HONEST_TURN]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout + refused.stderr).toMatch(new RegExp(`build\\.taken[^]*\\b${child.pid}\\b`));
  expect(project.recordedTurns()).toHaveLength(1);
  child.kill('SIGKILL');
  await ended;
  const taken = await project.build([HONEST_TURN], ['--resume']);
  expect(taken.json.outcome, taken.stderr).toBe('approved');
  expect(taken.turns.map(({ turn_number }) => turn_number)).toEqual([1, 2]);
  expect(project.git('ls-tree', '-r', '--name-only', 'guardkit/TASK-001')).toContain('started');
});

it('a build whose worktree a person removes meanwhile says so, and continues in a new one [BUILD-8]', async () => {
  const project = newProject();
  const waits = {
    player: { ...HONEST_PLAYER, run: ['touch started; while [ -e started ]; do sleep 0.1; done'] },
    coach: { verdict: APPROVAL },
  };
  const { ended } = start(project, project.buildArguments([waits]));
  await appears(join(project.worktree, 'started'));
  project.git('worktree', 'remove', '--force', project.worktree);
  const { code, text } = await ended;
  expect(code, text).toBe(3);
  expect(text).toContain('worktree.gone');
  const resumed = await project.build([HONEST_TURN], ['--resume']);
  expect(resumed.json.outcome, resumed.stderr).toBe('approved');
});
