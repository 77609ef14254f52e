import { expect, it } from 'vitest';
import { verificationSchema } from '../../../src/domain/entities/verification.ts';
import { DrivenSession } from './driven-session.ts';

function head(project: DrivenSession): string {
  return project.git('rev-parse', 'HEAD').trim();
}

/** A coding agent and a tester do a feature, and the agent commits it. */
async function finish(project: DrivenSession, feature: string, name: string): Promise<string> {
  await project.code(feature, name);
  await project.agent('tester-agent', 'PASSED: it does what it should');
  const told = await project.handedBack('tester-agent');
  await project.bash(`git add src test && git commit -q -m ${feature}`);
  return told;
}

function verifications(project: DrivenSession) {
  return project.entries('verification_recorded').map((body) => verificationSchema.parse(body));
}

it('features that a session finished and committed stay tested, each judged from where it began', async () => {
  const project = new DrivenSession();
  const start = head(project);
  await project.order();
  expect(await finish(project, 'FEAT-1', 'cart')).toContain('FEAT-2');
  const second = head(project);
  await finish(project, 'FEAT-2', 'pay');
  const bases = verifications(project).map(({ feature_id, base_commit }) => [feature_id, base_commit]);
  expect(bases).toContainEqual(['FEAT-2', second]);
  for (const [feature, base] of [
    ['FEAT-1', start],
    ['FEAT-2', second],
  ] as const) {
    const { exitCode } = await project.command('agent', 'verify', feature, '--json');
    expect([feature, exitCode]).toEqual([feature, 0]);
    expect(verifications(project).at(-1)).toMatchObject({ feature_id: feature, base_commit: base });
  }
  expect(project.list().features).toMatchObject([{ tested: true }, { tested: true }]);
});

it('an agent that commits before it names its feature is judged from the start of its session', async () => {
  const project = new DrivenSession();
  const start = head(project);
  await project.begin();
  await project.bash('echo > test/add.test.js && git commit -q -a -m Tidy');
  expect(head(project)).not.toBe(start);
  const { text } = await project.command('agent', 'verify', 'FEAT-1', '--json');
  expect(verifications(project).at(-1)).toMatchObject({ base_commit: start });
  expect(text).toContain(start);
});
