import { describe, expect, it } from 'vitest';
import { CRASH, definitionOf, type RunProject } from '../../../support/run-project.ts';
import { TWELVE_CONFIG } from '../../../support/twelve-features.ts';
import { file, ids, projectOf, run } from './file-features.ts';

const CONFIG = TWELVE_CONFIG['.guardkit/config.yaml'] ?? '';

/** Asks for a sandbox where there is none, so that a run rests before any agent is started. */
function resting(ids: readonly string[]): RunProject {
  const config = { '.guardkit/config.yaml': `${CONFIG}sandbox: {required: true}\n` };
  const project = projectOf(
    ids.map((id) => file(id)),
    config,
  );
  project.sandbox.noSandbox = 'this test is about what is missing';
  return project;
}

describe('what counts is what is committed:', () => {
  it('--dry-run reads it as the run would, and names what is not', async () => {
    const project = projectOf([file('F1')]);
    project.write({ '.guardkit/features/F2.yaml': definitionOf(file('F2')) });
    const seen = await project.guardkit(['run', '--dry-run']);
    expect(seen.stdout).toContain(project.git('rev-parse', 'HEAD').slice(0, 12));
    expect(seen.stderr).toContain('.guardkit/features/F2.yaml');
    const { json } = await run(project, ['--dry-run']);
    expect(json).toMatchObject({ order: ['F1'], uncommitted: ['.guardkit/features/F2.yaml'] });
    for (const more of [['--dry-run'], []]) {
      const named = await run(project, ['--features', 'F2', ...more]);
      expect([named.exitCode, named.json.error?.code]).toEqual([2, 'run.unknown-feature']);
    }
  });

  it('a definition that was deleted before it was committed is not mentioned again', async () => {
    const project = projectOf([file('F1')]);
    project.write({ '.guardkit/features/F2.yaml': definitionOf(file('F2')) });
    await project.guardkit(['feature', 'add', 'One that the list knows too'], { person: true });
    expect((await run(project, ['--dry-run'])).stderr).toContain('F2 is left out');
    project.git('clean', '-qf', '.guardkit');
    expect((await run(project, ['--dry-run'])).stderr).not.toContain('F2');
  });

  it('a run that rests goes on with what was committed since, and with the limits that nobody named anew', async () => {
    const project = resting(['F1', 'F2', 'F3']);
    const first = await run(project, ['--features', 'F1,F2', '--max-features', '2']);
    expect(first.json.error?.code, first.stderr).toBe('sandbox.required');
    const { stdout: status } = await project.guardkit(['status', '--json']);
    expect(JSON.parse(status)).toMatchObject({
      paused: [{ driven_by: 'run' }],
      next: expect.arrayContaining(['guardkit run']),
    });
    const slip = await run(project, ['--features', 'F22']);
    expect([slip.exitCode, slip.json.error?.code]).toEqual([2, 'run.unknown-feature']);
    project.write({ '.guardkit/config.yaml': CONFIG });
    project.commit('What was missing');
    project.sandbox.write('brief.md', 'Something else.\n');
    const last = await run(project, ['--max-features', '1', '--brief', project.sandbox.path('brief.md')]);
    expect(ids(last.json.done), last.stderr).toEqual(['F1']);
    expect(last.json.base).toBe(project.git('rev-parse', 'HEAD').trim());
    expect(last.stderr).toMatch(/\b1\b.*F1, F2/);
    expect(last.stderr).toContain('brief.md');
    expect(project.git('for-each-ref', 'refs/guardkit/run-*')).not.toContain('moved-');
  });

  it('it joins what the run has done by then, and abandoned, that is what stays', async () => {
    const features = [file('F1'), file('F2', [], [CRASH]), file('F3', [], [CRASH])];
    const project = projectOf(features);
    expect((await run(project, ['--max-turns', '3'])).json.error?.code).toBe('run.agent-silent');
    project.write({ 'notes.txt': 'of a person\n' });
    project.git('add', 'notes.txt');
    project.commit('Meanwhile');
    const again = await run(project, ['--max-turns', '3']);
    expect(again.json.error?.code, again.stderr).toBe('run.agent-silent');
    const branch = project.git('branch', '--list', 'guardkit/run-*').trim();
    expect(project.git('ls-tree', '--name-only', branch)).toMatch(/F1\.txt[\s\S]*notes\.txt/);
    expect(project.git('for-each-ref', 'refs/guardkit/run-*')).not.toContain('moved-');
    const ended = await project.guardkit(['session', 'abandon'], { person: true });
    expect(ended.stdout).toContain(`git merge --no-ff ${branch}`);
    expect(project.git('branch', '--list', 'guardkit/run-*').trim()).toBe(branch);
  });
});

it('a run that rests and is abandoned leaves no branch where it has done nothing', async () => {
  const project = resting(['F1']);
  expect((await run(project)).json.error?.code).toBe('sandbox.required');
  expect(project.git('branch', '--list', 'guardkit/run-*')).not.toBe('');
  const ended = await project.guardkit(['session', 'abandon'], { person: true });
  expect(ended.exitCode, ended.stderr).toBe(0);
  expect(project.git('branch', '--list', 'guardkit/run-*')).toBe('');
});

it.each([
  ['says nothing', ' \n\n'],
  ['is not text', 'a\0b'],
])('a brief that %s is refused before anything begins', async (_why, text) => {
  const project = projectOf([], { '.guardkit/config.yaml': 'project: calc-1234\n' });
  const brief = project.sandbox.write('brief.md', text);
  for (const more of [['--dry-run'], []]) {
    const { exitCode, json, stdout } = await run(project, ['--brief', brief, ...more]);
    expect([exitCode, json.error?.code]).toEqual([2, 'file.unreadable']);
    expect(stdout).toContain('brief.md');
  }
});
