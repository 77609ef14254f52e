import { expect, it } from 'vitest';
import type { StoredTrace } from '../../src/domain/entities/trace.ts';
import { LearningProject } from './learning-project.ts';

/** A Claude Code session at a terminal, with or without a person. */
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
  ['a person can answer is recorded as asked', true, 'ask', 'asked'],
  ['no person can answer is recorded as denied', false, 'deny', 'denied'],
])('a guard’s question in a session where %s', async (_case, attended, decision, outcome) => {
  const project = new AttendedProject();
  project.attended = attended;
  await project.begin();
  const { before } = await project.bash('git reset --hard HEAD~1');
  expect(before.json.hookSpecificOutput?.permissionDecision).toBe(decision);
  expect(await project.traces()).toMatchObject([
    { type: 'violation', outcome, guard: 'destructive-commands' },
  ]);
});
