import { expect } from 'vitest';
import { buildProjects, DOCS_FILES, docsTurn } from '../../../support/build-project.ts';
import { expectFailure } from '../../../support/expect-failure.ts';
import { further } from '../../../support/thorough.ts';

const newProject = buildProjects({ ...DOCS_FILES, '.gitignore': '.claude/progress/\n.guardkit/logs/\n' });
const ADD = ['feature', 'add', 'A guide', '--id', 'F001', '--type', 'documentation'];

further('a feature that only the list has is built and completed by what the list says of it', async () => {
  const project = newProject();
  const added = await project.guardkit([...ADD, '--criterion', 'AC-001: there is a guide'], { person: true });
  expect(added.exitCode, added.stderr).toBe(0);
  const scenario = project.scenario({ turns: [docsTurn('guide')] });
  const driver = ['--driver', 'script', '--scenario', scenario];
  const slip = await project.guardkit(['feature-build', 'F1', ...driver, '--json']);
  expect(slip.exitCode).toBe(2);
  expectFailure({ exitCode: 2, ...JSON.parse(slip.stdout).error }, 'work.unknown F1 F001');
  const built = await project.guardkit(['feature-build', 'F001', ...driver]);
  expect(built.exitCode, built.stderr).toBe(0);
  const merged = await project.guardkit(['feature', 'complete', 'F001'], { person: true, input: 'y\ny\n' });
  expect(merged.exitCode, merged.stderr).toBe(0);
  expect(project.git('show', 'HEAD:docs/guide.md')).toBe('guide');
  const { stdout } = await project.guardkit(['feature', 'show', 'F001', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' });
});
