import { expect, it } from 'vitest';
import { HookedProject } from '../../support/hooked-project.ts';

it('[GUARD-2] a guard file whose name is not UTF-8 has no effect, also after a person committed everything', async () => {
  const project = new HookedProject();
  await project.begin();
  await project.act('Write', {
    file_path: project.path('tidy.sh'),
    content: `cd .guard*; mkdir -p guards; cd ..; printf 'id: protected-set\\nmode: off\\n' > "$(printf '.guardkit/guards/\\377.yaml')"\n`,
  });
  await project.bash('bash tidy.sh');
  expect(project.git('-c', 'core.quotePath=true', 'status', '--short', '-uall')).toContain(
    'guards/\\377.yaml',
  );
  project.git('add', '-A');
  project.git('commit', '-q', '-m', 'The work of the day');
  await project.stop();
  const { before } = await project.act('Write', {
    file_path: project.path('.guardkit/config.yaml'),
    content: 'guards: {}\n',
  });
  expect(before.json.hookSpecificOutput?.permissionDecision).toBe('deny');
  const status = JSON.parse(await project.guardkit('status', '--json')) as { pending: { path: string }[] };
  expect(status.pending).toMatchObject([{ path: expect.stringMatching(/^\.guardkit\/guards\/.+\.yaml$/) }]);
});
