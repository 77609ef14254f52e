import { chmodSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CODEX_EVENTS, CODEX_HOOKS, withCodexHooks } from '../../src/enforcement/install/wire-codex.ts';
import { CODEX, CodexMachine, done, patch, shell } from './codex-machine.ts';

interface Payload {
  hook_event_name: string;
  tool_name?: string;
}

const RECORDED: Payload[] = JSON.parse(
  readFileSync(new URL('../enforcement/agents/recorded/codex-0.166.0.json', import.meta.url), 'utf8'),
);

/** Event, tool and the names of all fields. */
function shapes(payloads: readonly Payload[]): string[] {
  const all = payloads.map((one) => {
    const { hook_event_name, tool_name = '' } = one;
    return `${hook_event_name} ${tool_name}: ${Object.keys(one).sort().join(' ')}`;
  });
  return [...new Set(all)].sort();
}

describe.skipIf(CODEX === undefined)('payloads of the real Codex', () => {
  it('have the fields of the recorded ones, which the usual tests replay', async () => {
    const machine = new CodexMachine();
    const log = machine.sandbox.path('payloads.jsonl');
    const hook = machine.sandbox.write('record.sh', `#!/bin/sh\n{ cat; echo; } >> '${log}'\n`);
    chmodSync(hook, 0o700);
    const command = { refusing: hook, stopping: hook, letting: hook, beginning: hook };
    machine.sandbox.write(`shop/${CODEX_HOOKS}`, JSON.stringify(withCodexHooks({}, command)));
    machine.trust();
    await machine.run([
      [shell('echo 1 > a.txt')],
      [patch('*** Update File: src/cart.js', '@@', '-export const cart = [];', '+export const cart = [1];')],
      done,
    ]);
    const found: Payload[] = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    const names = new Set(found.map(({ hook_event_name }) => hook_event_name));
    expect(CODEX_EVENTS.filter((event) => !event.startsWith('Subagent') && !names.has(event))).toEqual([]);
    expect(shapes(RECORDED)).toEqual(expect.arrayContaining(shapes(found)));
  });
});
