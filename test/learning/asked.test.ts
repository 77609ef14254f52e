import { expect, it } from 'vitest';
import type { StoredTrace } from '../../src/domain/entities/trace.ts';
import { LearningProject } from './learning-project.ts';

/** A session of Claude Code at a terminal, with or without a person. */
class AttendedProject extends LearningProject {
  attended = true;

  override agentEnv(): Record<string, string> {
    const attended = this.attended ? '1' : '0';
    return { ...super.agentEnv(), CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_SESSION_ATTENDED: attended };
  }

  async traces(): Promise<StoredTrace[]> {
    return (await this.json<{ traces: StoredTrace[] }>(['trace', 'list'])).traces;
  }
}

it.each([
  ['somebody can answer is kept as asked', true, 'ask', 'asked'],
  ['nobody can answer is kept as denied', false, 'deny', 'denied'],
])('a question by a guard where %s', async (_case, attended, said, outcome) => {
  const project = new AttendedProject();
  project.attended = attended;
  await project.begin();
  const { before } = await project.bash('git reset --hard HEAD~1');
  expect(before.json.hookSpecificOutput?.permissionDecision).toBe(said);
  expect(await project.traces()).toMatchObject([
    {
      type: 'violation',
      outcome,
      guard: 'destructive-commands',
    },
  ]);
});
