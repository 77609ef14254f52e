import { describe, expect, it } from 'vitest';
import { CODEX_EVENTS, CODEX_HOOKS, withCodexHooks } from '../../../src/enforcement/install/wire-codex.ts';
import { recordedPayloads, recordingHooks, shapes } from '../recorded-payloads.ts';
import { CODEX, CodexMachine, done, patch, shell } from './codex-machine.ts';

describe.skipIf(CODEX === undefined)('payloads of the real Codex', () => {
  it('have the fields of the recorded ones, which the usual tests replay', async () => {
    const machine = new CodexMachine();
    const { commands, payloads } = recordingHooks(machine.sandbox);
    machine.sandbox.write(`shop/${CODEX_HOOKS}`, JSON.stringify(withCodexHooks({}, commands)));
    machine.trust();
    await machine.run([
      [shell('echo 1 > a.txt')],
      [patch('*** Update File: src/cart.js', '@@', '-export const cart = [];', '+export const cart = [1];')],
      done,
    ]);
    const found = payloads();
    const names = new Set(found.map(({ hook_event_name }) => hook_event_name));
    expect(CODEX_EVENTS.filter((event) => !event.startsWith('Subagent') && !names.has(event))).toEqual([]);
    const fields = ['hook_event_name', 'tool_name'] as const;
    const recorded = shapes(recordedPayloads('codex-0.166.0'), ...fields);
    expect(recorded).toEqual(expect.arrayContaining(shapes(found, ...fields)));
  });
});
