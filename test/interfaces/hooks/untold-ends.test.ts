import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { HookedProject } from '../../support/hooked-project.ts';

const CONFIG = '.guardkit/config.yaml';
const CALL = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'tool-untold' };

/** A project in which an action of an agent’s has changed the rules, and nobody has told that it is over. */
async function inTheMiddle(): Promise<{ project: HookedProject; rules: string }> {
  const project = new HookedProject();
  const rules = project.read(CONFIG);
  await project.begin();
  await project.hook({ hook_event_name: 'PreToolUse', ...CALL });
  project.write(CONFIG, 'project: lax\n');
  return { project, rules };
}

function violations({ dataFolder }: HookedProject): number {
  const ledger = openLedger({ path: join(dataFolder, 'ledger.db') });
  try {
    return ledger.entries('shop-1', { kind: 'violation_recorded' }).length;
  } finally {
    ledger.close();
  }
}

describe('[GUARD-2] what an action changed whose end nobody told', () => {
  it('is put back when the agent stops, who is told once', async () => {
    const { project, rules } = await inTheMiddle();
    const { json } = await project.stop();
    expect(project.read(CONFIG)).toBe(rules);
    expect(json).toMatchObject({ decision: 'block', reason: expect.stringContaining(CONFIG) });
    expect(violations(project)).toBe(1);
    expect((await project.stop({ stop_hook_active: true })).json).toEqual({});
  });

  it.each([
    ['its batch is over', { hook_event_name: 'PostToolBatch', tool_calls: [CALL] }],
    ['a person speaks', { hook_event_name: 'UserPromptSubmit', prompt: 'Stop that' }],
    ['the session ends', { hook_event_name: 'SessionEnd', reason: 'other' }],
  ])('is put back when %s', async (_, payload) => {
    const { project, rules } = await inTheMiddle();
    const { exitCode, json } = await project.hook(payload);
    expect(project.read(CONFIG)).toBe(rules);
    expect(exitCode).toBe(0);
    expect(JSON.stringify(json)).toContain(CONFIG);
    expect(violations(project)).toBe(1);
  });
});
