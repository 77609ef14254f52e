import { afterAll, describe, expect, it } from 'vitest';
import type { RunJson } from '../../../e2e/killed-run.ts';
import { RunProject, turnOf } from '../../../support/run-project.ts';
import { further } from '../../../support/thorough.ts';

const made: RunProject[] = [];
afterAll(() => {
  for (const project of made) project.cleanup();
});

const CHECK = { name: 'the text is there', command: 'test -s text.txt && test -s set-up.txt' };

function answer(criterion: string, more: object = {}) {
  return {
    write: { 'set-up.txt': 'made to begin with\n', '.guardkit/config.yaml': 'project: another\n' },
    report: {
      features: [
        {
          id: 'FEAT-TEXT',
          name: 'A text',
          description: 'A text that people read.',
          task_type: 'documentation',
          complexity: 1,
          acceptance_criteria: [criterion],
          verify: { checks: [CHECK] },
          ...more,
        },
      ],
    },
  };
}

const GOOD = answer('AC-001: text.txt holds a text');

function projectOf(initializer: unknown[], readme = '# Texts\n\nPeople want a text.\n'): RunProject {
  const files = {
    '.guardkit/config.yaml': 'project: calc-1234\n',
    ...(readme === '' ? {} : { 'README.md': readme }),
  };
  const project = new RunProject([], files, {
    initializer,
    turns: [turnOf({ 'text.txt': 'read me\n' }, CHECK.name)],
  });
  made.push(project);
  return project;
}

async function run(project: RunProject, args: readonly string[] = []) {
  const result = await project.guardkit(project.runArguments(args));
  return { ...result, json: JSON.parse(result.stdout) as RunJson & { error?: { code: string } } };
}

describe('where there are no features', () => {
  it('an initializer makes them of the README: what does not stand goes back to it, what does is the run’s base [RUN-3]', async () => {
    const project = projectOf([answer('It works'), GOOD]);
    const { json, exitCode, stderr } = await run(project);
    expect(exitCode, stderr).toBe(0);
    expect(json.done.map(({ feature }) => feature)).toEqual(['FEAT-TEXT']);
    const refused = project
      .entries()
      .filter(({ kind, body }) => kind === 'session_moved' && body.event === 'initializer_finished');
    expect(refused.map(({ body }) => body.to)).toEqual(['initializing', 'choosing']);
    expect(String(refused[0]?.body.result)).toContain('FEAT-TEXT');
    // The agent's set-up and GuardKit's definitions are commits of the run, and nothing of it is in the checkout.
    const log = project.git('log', '--format=%s', `${json.base}..${json.branch}`);
    expect(log.split('\n')).toEqual([
      expect.stringContaining('FEAT-TEXT'),
      expect.any(String),
      expect.any(String),
    ]);
    expect(project.git('show', `${json.branch}:.guardkit/config.yaml`)).toContain('calc-1234');
    expect(project.git('status', '--porcelain')).toBe('');
    expect(project.git('branch', '--list', 'guardkit/init-*')).toBe('');
  });

  further('and two answers do not stand, the run ends without a feature, and says why', async () => {
    const cyclic = answer('AC-001: text.txt holds a text', { dependencies: ['FEAT-TEXT'] });
    const project = projectOf([cyclic]);
    const { json, exitCode } = await run(project);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ reason: 'no_features', done: [] });
  });

  further('and a base that cannot be judged is the initializer’s fault', async () => {
    const red = { ...GOOD, report: { ...GOOD.report, verify: { tests: { command: 'exit 1' } } } };
    const typed = { features: GOOD.report.features.map(({ task_type: _docs, ...one }) => one) };
    const project = projectOf([{ ...red, report: { ...red.report, ...typed } }]);
    const { json } = await run(project);
    expect(json.reason).toBe('no_features');
    const told = project
      .entries()
      .filter(({ kind, body }) => kind === 'session_moved' && body.to === 'initializing');
    expect(told.map(({ body }) => body.event)).toContain('initializer_finished');
  });

  it('and nothing says what is to be made, that is asked for, and no run begins', async () => {
    const project = projectOf([GOOD], '');
    const { json, exitCode } = await run(project);
    expect(exitCode).toBe(2);
    expect(json.error?.code).toBe('run.no-brief');
    expect(project.entries().some(({ kind }) => kind === 'session_moved')).toBe(false);
  });
});
