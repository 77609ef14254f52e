import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { commandDriver } from '../../../src/orchestration/drivers/command-driver.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { DrivenProject } from '../../support/driven-project.ts';

const NODE = {
  operation: 'add_node',
  name: 'cart',
  type: 'component',
  level: 'implementation',
  status: 'current',
  description: 'What is bought',
};

const messages = (calls: readonly [name: string, input: object][]) =>
  [
    {
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    },
    ...calls.map(([name, input]) => ({ method: 'tools/call', params: { name, arguments: input } })),
  ]
    .map((message, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`)
    .join('');

it('an agent in a sandbox has the tools of its role through the socket, and can see nothing else of GuardKit’s', async (context) => {
  const status = await bubblewrap(context);
  const project = new DrivenProject();
  await project.begin();
  project.write(
    'said.jsonl',
    messages([
      ['knowledge_update', NODE],
      ['feature_update', { id: 'FEAT-1', notes: 'no' }],
      ['query_logs', { path: '../../../../../../etc/hosts.log' }],
    ]),
  );
  const guards = project.guards('command');
  const { command, args } = guards.tools ?? { command: '', args: [] };
  const server = [command, ...args].map((word) => `'${word}'`).join(' ');
  const run = [
    // Held open until everything is answered; only then is the input at its end.
    `(cat said.jsonl; while [ "$(wc -l < heard.jsonl)" -lt 4 ]; do sleep 0.05; done) | ${server} > heard.jsonl`,
    'ls -A "$GUARDKIT_HOME" > seen.txt',
    `echo '{"decision": "implemented"}'`,
  ].join('\n');
  project.write('heard.jsonl', '');
  const driven = await project.drive(commandDriver({ run }), {
    writable: [],
    timeoutMs: 40_000,
    sandbox: {
      status,
      policy: {
        writable: [project.folder],
        readOnly: [project.path('.guardkit')],
        hidden: [project.dataFolder],
        network: 'loopback',
      },
    },
  });
  expect(driven.result.end.type).toBe('answered');
  const heard = project
    .read('heard.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; error?: { message: string }; result?: object });
  const answerTo = (id: number) => JSON.stringify(heard.find((one) => one.id === id));
  expect(answerTo(1)).toContain('cart');
  expect(answerTo(2)).toContain(`"code":${ErrorCode.InvalidParams}`);
  expect(answerTo(3)).toContain('"guardkit/code":"log.');
  expect(project.read('.maestro/knowledge.dot')).toContain('cart');
  expect(project.read('seen.txt').trim().split('\n').sort()).toEqual(['run']);
  // Nothing of it is left behind.
  expect(readdirSync(join(project.dataFolder, 'run'))).toEqual([]);
});

it('a Coach’s door has no tools behind it', async () => {
  const project = new DrivenProject();
  mkdirSync(project.dataFolder, { recursive: true });
  expect(project.guards('command', { role: 'coach' }).tools).toBeUndefined();
});
