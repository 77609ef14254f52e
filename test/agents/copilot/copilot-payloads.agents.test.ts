import { describe, expect, it } from 'vitest';
import {
  COPILOT_EVENTS,
  COPILOT_SETTINGS,
  withCopilotHooks,
} from '../../../src/enforcement/install/wire-copilot.ts';
import { recordedPayloads, recordingHooks, shapes } from '../recorded-payloads.ts';
import { run } from './copilot-acts.ts';
import { COPILOT_PROGRAM, CopilotMachine, done } from './copilot-machine.ts';

describe.skipIf(COPILOT_PROGRAM === undefined)('payloads of the real Copilot CLI', () => {
  it('have the fields of the recorded ones, which the usual tests replay', async () => {
    const machine = new CopilotMachine();
    const { commands, payloads } = recordingHooks(machine.sandbox);
    machine.sandbox.write(`shop/${COPILOT_SETTINGS}`, JSON.stringify(withCopilotHooks({}, commands)));
    machine.trust();
    const path = machine.at('a.txt');
    await machine.run([
      [run('echo 1 > b.txt')],
      [{ call: 'create', args: { path, file_text: '1\n' } }],
      [{ call: 'edit', args: { path, old_str: '1', new_str: '2' } }],
      [{ call: 'view', args: { path } }],
      done,
    ]);
    const found = payloads();
    const names = new Set(found.map(({ hook_event_name }) => hook_event_name));
    const rare = ['SubagentStop', 'PostToolUseFailure'];
    expect(COPILOT_EVENTS.filter((event) => !names.has(event) && !rare.includes(event))).toEqual([]);
    const fields = ['hook_event_name', 'tool_name'] as const;
    const recorded = shapes(recordedPayloads('copilot-1.0.102'), ...fields);
    expect(recorded).toEqual(expect.arrayContaining(shapes(found, ...fields)));
  });
});
