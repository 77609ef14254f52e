import { describe, expect, it } from 'vitest';
import { DrivenSession } from './driven-session.ts';

async function remove(project: DrivenSession, id: string): Promise<void> {
  project.typed = 'y\n';
  const { exitCode, text } = await project.command('person', 'feature', 'edit', id, '--remove');
  expect(exitCode, text).toBe(0);
}

describe('where a person takes the feature at work off the list, a session', () => {
  it('goes on with the next one, and what its agent says then counts for nothing', async () => {
    const project = new DrivenSession();
    await project.order();
    const said = 'IMPLEMENTATION COMPLETE - Feature FEAT-1 ready for testing';
    await project.agent('coding-agent', said, async (by) => {
      const file = { file_path: project.path('src/pay.js'), content: 'export const pay = 1;\n' };
      await project.act('Write', file, by);
      await remove(project, 'FEAT-1');
    });
    expect(project.state()).toMatchObject({ state: 'coding', feature: 'FEAT-2', agent: 'coding' });
    expect(await project.handedBack('coding-agent')).toContain('next: Start `coding-agent` for FEAT-2.');
    expect(project.entries('attempt_failed')).toEqual([]);
    expect(project.entries('violation_recorded')).toEqual([]);
  });

  it('tells so when the agent wants to stop; without any other it ends', async () => {
    const project = new DrivenSession();
    await project.order();
    await remove(project, 'FEAT-1');
    expect((await project.stop()).json).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('next: Start `coding-agent` for FEAT-2.'),
    });
    await remove(project, 'FEAT-2');
    expect((await project.stop()).json.reason).toContain('has ended: There are no features to work on.');
    expect((await project.stop()).json).toEqual({});
  });

  it('that a person has paused stays so, and goes on with the next one when they say', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.prompt('Wait a moment.');
    await remove(project, 'FEAT-1');
    const { text } = await project.command('person', 'session', 'resume');
    expect(text).toContain('Spawn the coding agent for FEAT-2');
  });
});
