import { expect, it } from 'vitest';
import { HookedProject } from '../../support/hooked-project.ts';

it('a protected file that an action created is reported as removed, and one that it changed as restored', async () => {
  const hooked = new HookedProject();
  hooked.write('.claude/agents/reviewer.md', 'Review.\n');
  hooked.write('lay.sh', 'cd .cl""aude/agents\necho More. >> reviewer.md\necho New. > helper.md\n');
  await hooked.begin();
  const { after } = await hooked.bash('bash lay.sh');
  const notices = after?.json.systemMessage?.split('\n') ?? [];
  expect(notices.find((line) => line.includes('helper.md'))).toMatch(/GuardKit removed it/);
  expect(notices.find((line) => line.includes('reviewer.md'))).toMatch(/GuardKit restored it/);
});
