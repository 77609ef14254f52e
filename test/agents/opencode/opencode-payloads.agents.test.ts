import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { pluginText } from '../../../src/enforcement/install/opencode-plugin.ts';
import { OPENCODE_PLUGIN } from '../../../src/enforcement/install/wire-opencode.ts';
import { recordedPayloads, recordingHooks, shapes } from '../recorded-payloads.ts';
import { outputOf, run } from './opencode-acts.ts';
import { done, OPENCODE, OpencodeMachine } from './opencode-machine.ts';

const NOTES = fileURLToPath(new URL('../../support/notes-server.js', import.meta.url));

describe.skipIf(OPENCODE === undefined)('payloads of GuardKit’s plugin in the real OpenCode', () => {
  it('have the fields of the recorded ones, which the usual tests replay', async () => {
    const machine = new OpencodeMachine();
    const { commands, payloads } = recordingHooks(machine.sandbox);
    machine.sandbox.write(`shop/${OPENCODE_PLUGIN}`, pluginText({ commands, wrapperIn: undefined }));
    const environment = { NOTES_FILE: machine.sandbox.path('notes') };
    const mcp = { notes: { type: 'local', command: ['node', NOTES], environment, enabled: true } };
    const todo = { content: 'x', status: 'pending', priority: 'low' };
    const task = { description: 'Help', prompt: 'SUBTASK', subagent_type: 'general' };
    const replies = [
      [run('echo hi > shell.txt')],
      [{ call: 'bash', args: { command: 'pwd', workdir: 'src', description: 'x' } }],
      [outputOf({ write: 'edited.txt', content: 'line one\n' })],
      [{ call: 'edit', args: { filePath: 'edited.txt', oldString: 'line one', newString: 'line 1' } }],
      [{ call: 'edit', args: { filePath: 'edited.txt', oldString: 'not in it', newString: 'x' } }],
      [outputOf({ read: 'edited.txt' })],
      [{ call: 'todowrite', args: { todos: [todo] } }],
      [{ call: 'notes_write_note', args: { text: 'via mcp' } }],
      [{ call: 'nothing', args: {} }],
      [{ call: 'task', args: task }],
      done,
    ];
    let step = 0;
    await machine.run(
      ({ body }) => {
        if (!body.includes('Go on')) return body.includes('call-') ? done : [run('echo child')];
        return replies[step++] ?? done;
      },
      { settings: { mcp } },
    );
    const found = payloads();
    const recorded = shapes(recordedPayloads('opencode-1.18.18'), 'hook', 'tool');
    expect(shapes(found, 'hook', 'tool')).toEqual(recorded);
  });
});
