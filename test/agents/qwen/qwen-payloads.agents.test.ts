import { describe, expect, it } from 'vitest';
import { QWEN_EVENTS, QWEN_SETTINGS, withQwenHooks } from '../../../src/enforcement/install/wire-qwen.ts';
import { recordedPayloads, recordingHooks, shapes } from '../recorded-payloads.ts';
import { run } from './qwen-acts.ts';
import { done, QWEN_PROGRAM, QwenMachine } from './qwen-machine.ts';

describe.skipIf(QWEN_PROGRAM === undefined)('payloads of the real Qwen Code', () => {
  it('have the fields of the recorded ones, which the usual tests replay', async () => {
    const machine = new QwenMachine();
    const { commands, payloads } = recordingHooks(machine.sandbox);
    machine.sandbox.write(`shop/${QWEN_SETTINGS}`, JSON.stringify(withQwenHooks({}, commands)));
    const path = machine.at('a.txt');
    await machine.run([
      [run('echo 1 > b.txt')],
      [run('ls /nonexist')],
      [{ call: 'write_file', args: { file_path: path, content: '1\n' } }],
      [{ call: 'edit', args: { file_path: path, old_string: '1', new_string: '2' } }],
      [{ call: 'read_file', args: { file_path: path } }],
      done,
    ]);
    const found = payloads();
    const names = new Set(found.map(({ hook_event_name }) => hook_event_name));
    // Without a person, no SessionEnd is fired; subagents have a test of their own.
    const quiet = ['SessionEnd', 'SubagentStart', 'SubagentStop'];
    expect(QWEN_EVENTS.filter((event) => !names.has(event) && !quiet.includes(event))).toEqual([]);
    const fields = ['hook_event_name', 'tool_name'] as const;
    const recorded = shapes(recordedPayloads('qwen-0.24.4'), ...fields);
    expect(recorded).toEqual(expect.arrayContaining(shapes(found, ...fields)));
  });
});
