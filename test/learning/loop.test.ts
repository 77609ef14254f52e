import { expect, it } from 'vitest';
import { LearningProject } from './learning-project.ts';

interface Listed {
  patterns: { pattern_id: string; count: number; features: string[]; guard: string }[];
}

it('what agents try again and again becomes a guard that stops the next one', async () => {
  const project = new LearningProject();
  await project.claimTested('s1', 'FEAT-1');
  await project.claimTested('s1', 'FEAT-1');
  expect(((await project.json(['guard', 'propose'])) as unknown as Listed).patterns).toEqual([]);
  await project.claimTested('s2', 'FEAT-2');
  const { patterns } = (await project.json(['guard', 'propose'])) as unknown as Listed;
  expect(patterns).toMatchObject([{ guard: 'block-tested-true', count: 3, features: ['FEAT-1', 'FEAT-2'] }]);
  console.log(JSON.stringify(patterns, null, 1));
  const { guard } = (await project.json(['guard', 'propose', patterns[0]?.pattern_id ?? ''])) as any;
  console.log(JSON.stringify(guard, null, 1));
  const refused = await project.agent(['guard', 'promote', guard.guard_id]);
  expect(refused.exitCode).toBe(1);
  const promoted = await project.person(['guard', 'promote', guard.guard_id]);
  expect(promoted.stderr + promoted.stdout).toContain('enforce');
  const fourth = await project.claimTested('s3', 'FEAT-1');
  expect(fourth.refused).toBe(true);
  console.log(JSON.stringify(fourth.before.json));
  expect(JSON.stringify(fourth.before.json)).toContain(guard.guard_id);
});
