import { expect } from 'vitest';
import { HookedProject } from '../../support/hooked-project.ts';
import { further } from '../../support/thorough.ts';

const feature = (id: string) =>
  `id: ${id}\nname: The feature ${id}\ntask_type: feature\ncomplexity: 2\nacceptance_criteria: ['AC-001: it works']\n`;

further(
  'a feature file that an agent proposed is not in the plan of a run, though it is committed',
  async () => {
    const project = new HookedProject();
    project.write('.guardkit/features/F1.yaml', feature('F1'));
    project.git('add', '-A');
    project.git('commit', '-q', '-m', 'A feature of a person');
    await project.begin();
    const { refused } = await project.act('Write', {
      file_path: project.path('.guardkit/features/F2.yaml'),
      content: feature('F2'),
    });
    expect(refused).toBe(false);
    project.git('add', '-A');
    project.git('commit', '-q', '-m', 'The work of the day');
    await project.stop();
    const plan = JSON.parse(await project.guardkit('run', '--dry-run', '--json')) as { order: string[] };
    expect(plan.order).toContain('F1');
    expect(plan.order).not.toContain('F2');
  },
);
