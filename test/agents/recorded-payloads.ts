import { chmodSync, readFileSync } from 'node:fs';
import type { TimedHookCommand } from '../../src/enforcement/install/hook-launcher.ts';
import type { Sandbox } from '../support/cli.ts';

export type Payload = Record<string, unknown>;

/** Hooks that write their payloads into a file and allow everything. */
export function recordingHooks(sandbox: Sandbox): { commands: TimedHookCommand; payloads(): Payload[] } {
  const log = sandbox.path('payloads.jsonl');
  const hook = sandbox.write('record.sh', `#!/bin/sh\n{ cat; echo; } >> '${log}'\n`);
  chmodSync(hook, 0o700);
  return {
    commands: { refusing: hook, stopping: hook, letting: hook, beginning: hook },
    payloads: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Payload),
  };
}

/** The payloads that the usual tests replay. */
export function recordedPayloads(name: string): Payload[] {
  return JSON.parse(
    readFileSync(new URL(`../enforcement/agents/recorded/${name}.json`, import.meta.url), 'utf8'),
  );
}

/** Event, tool and the names of all fields. */
export function shapes(payloads: readonly Payload[], event: string, tool: string): string[] {
  const all = payloads.map((one) => `${one[event]} ${one[tool] ?? ''}: ${Object.keys(one).sort().join(' ')}`);
  return [...new Set(all)].sort();
}
