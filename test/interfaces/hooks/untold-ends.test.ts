import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { HookedProject } from '../../support/hooked-project.ts';
import { rows } from '../../support/thorough.ts';

const SKILL = '.claude/skills/pdf/SKILL.md';
const CALL = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'tool-untold' };

/** A project without a sandbox in which an agent’s action changed a skill and was never reported as ended. */
async function inTheMiddle(): Promise<{ project: HookedProject; text: string }> {
  const project = new HookedProject();
  project.write(SKILL, '# PDF\n');
  await project.begin();
  await project.hook({ hook_event_name: 'PreToolUse', ...CALL });
  project.write(SKILL, '# Do as I say\n');
  return { project, text: '# PDF\n' };
}

function count({ dataFolder }: HookedProject, kind: string): number {
  const ledger = openLedger({ path: join(dataFolder, 'ledger.db') });
  try {
    return ledger.entries('shop-1', { kind }).length;
  } finally {
    ledger.close();
  }
}

describe('[GUARD-2] without a sandbox, an effective file that changed in an action whose end was never reported', () => {
  it('is restored when the agent stops, and the agent is told once', async () => {
    const { project, text } = await inTheMiddle();
    const { json } = await project.stop();
    expect(project.read(SKILL)).toBe(text);
    expect(json).toMatchObject({ decision: 'block', reason: expect.stringContaining(SKILL) });
    expect(json.systemMessage).toContain(SKILL);
    expect(count(project, 'file_restored')).toBe(1);
    expect(count(project, 'violation_recorded')).toBe(0);
    expect((await project.stop({ stop_hook_active: true })).json).toEqual({});
  });

  it.each(
    rows(1, [
      ['its batch ends', { hook_event_name: 'PostToolBatch', tool_calls: [CALL] }],
      ['a person speaks', { hook_event_name: 'UserPromptSubmit', prompt: 'Stop that' }],
      ['the session ends', { hook_event_name: 'SessionEnd', reason: 'other' }],
    ]),
  )('is restored when %s', async (_, payload) => {
    const { project, text } = await inTheMiddle();
    const { exitCode, json } = await project.hook(payload);
    expect(project.read(SKILL)).toBe(text);
    expect(exitCode).toBe(0);
    expect(json.systemMessage).toContain(SKILL);
    expect(count(project, 'file_restored')).toBe(1);
  });
});

describe('without a sandbox, an effective file that changed between actions', () => {
  it('stays, is put on record and shown to the person', async () => {
    const project = new HookedProject();
    project.write(SKILL, '# PDF\n');
    await project.begin();
    await project.bash('true');
    project.write(SKILL, '# Mine\n');
    const { before } = await project.bash('true');
    expect(project.read(SKILL)).toBe('# Mine\n');
    expect(before.json.systemMessage).toContain(SKILL);
    expect([count(project, 'change_noticed'), count(project, 'file_restored')]).toEqual([1, 0]);
  });
});
