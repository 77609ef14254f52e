import { expect, it } from 'vitest';
import { buildProjects, DOCS_FILES, docsTurn } from '../../../support/build-project.ts';

const newProject = buildProjects({ ...DOCS_FILES, '.gitignore': '.claude/progress/\n.guardkit/logs/\n' });

it('work that a person did and completed is not built once more', async () => {
  const project = newProject();
  project.write({ 'docs/guide.md': 'add(1, 2) gives 3\n' });
  expect((await project.guardkit(['verify', 'TASK-001'])).exitCode).toBe(0);
  project.git('add', '-A');
  project.git('commit', '-qm', 'Guide');
  const completed = await project.guardkit(['feature', 'complete', 'TASK-001'], {
    person: true,
    input: 'y\n',
  });
  expect(completed.exitCode, completed.stderr).toBe(0);
  const driver = ['--driver', 'script', '--scenario', project.scenario({ turns: [docsTurn('guide')] })];
  const again = await project.guardkit(['feature-build', 'TASK-001', ...driver, '--json']);
  expect(again.exitCode).toBe(1);
  expect(JSON.parse(again.stdout).error.code).toBe('build.completed');
  expect(project.git('branch', '--list', 'guardkit/*')).toBe('');
});
