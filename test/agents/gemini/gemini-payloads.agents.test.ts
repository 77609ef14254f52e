import { describe, expect, it } from 'vitest';
import {
  GEMINI_EVENTS,
  GEMINI_SETTINGS,
  withGeminiHooks,
} from '../../../src/enforcement/install/wire-gemini.ts';
import { recordedPayloads, recordingHooks, shapes } from '../recorded-payloads.ts';
import { outputOf, run } from './gemini-acts.ts';
import { done, GEMINI, GeminiMachine } from './gemini-machine.ts';

describe.skipIf(GEMINI === undefined)('payloads of the real Gemini CLI', () => {
  it('have the fields of the recorded ones, which the usual tests replay', async () => {
    const machine = new GeminiMachine();
    const { commands, payloads } = recordingHooks(machine.sandbox);
    machine.sandbox.write(`shop/${GEMINI_SETTINGS}`, JSON.stringify(withGeminiHooks({}, commands)));
    machine.trust();
    const edit = { file_path: 'a.txt', instruction: 'x', old_string: '1', new_string: '2' };
    await machine.run([
      [run('echo 1 > b.txt')],
      [outputOf({ write: 'a.txt', content: '1\n' })],
      [{ call: 'replace', args: edit }],
      [outputOf({ read: 'a.txt' })],
      done,
    ]);
    const found = payloads();
    const names = new Set(found.map(({ hook_event_name }) => hook_event_name));
    expect(GEMINI_EVENTS.filter((event) => !names.has(event))).toEqual([]);
    const fields = ['hook_event_name', 'tool_name'] as const;
    const recorded = shapes(recordedPayloads('gemini-0.61.0'), ...fields);
    expect(recorded).toEqual(expect.arrayContaining(shapes(found, ...fields)));
  });
});
