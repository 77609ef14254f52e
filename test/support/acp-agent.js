// An agent that speaks the Agent Client Protocol and follows the script in ACP_SCRIPT: a list of prompts, each a list of steps.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const prompts = JSON.parse(process.env.ACP_SCRIPT);
const waiting = new Map();
let last = 0;
let cwd = '.';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (sessionId, one) => send({ method: 'session/update', params: { sessionId, update: one } });
const ask = (method, params) =>
  new Promise((resolve) => {
    last += 1;
    waiting.set(last, resolve);
    send({ id: last, method, params });
  });

async function step(sessionId, { say, tool, asks = true, write, run, exit, hang, garbage }) {
  if (say !== undefined)
    update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: say } });
  if (exit !== undefined) process.exit(exit);
  if (hang) await new Promise(() => {});
  if (garbage !== undefined) process.stdout.write(garbage);
  if (!tool) return;
  const toolCall = { toolCallId: `call-${last}`, status: 'pending', ...tool };
  update(sessionId, { sessionUpdate: 'tool_call', ...toolCall });
  const options = [
    { optionId: 'a', kind: 'allow_always', name: 'Always' },
    { optionId: 'o', kind: 'allow_once', name: 'Once' },
    { optionId: 'r', kind: 'reject_once', name: 'No' },
  ];
  const answer = asks && (await ask('session/request_permission', { sessionId, toolCall, options }));
  const allowed = !asks || answer.outcome.optionId === 'o';
  if (allowed && write) writeFileSync(join(cwd, write), 'written\n');
  if (allowed && run) execFileSync('/bin/sh', ['-c', run], { cwd, stdio: 'ignore' });
  const { toolCallId } = toolCall;
  update(sessionId, {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: allowed ? 'completed' : 'failed',
  });
}

async function answer(method, params) {
  switch (method) {
    case 'initialize':
      return { protocolVersion: 1, agentCapabilities: { loadSession: true } };
    case 'session/new':
    case 'session/load':
      if (params.sessionId === 'gone') throw { code: -32602, message: 'unknown session' };
      cwd = params.cwd;
      return { sessionId: params.sessionId ?? 'session-1' };
    case 'session/prompt': {
      const steps = prompts.shift() ?? [];
      for (const one of steps) {
        if (one.fail) throw one.fail;
        await step(params.sessionId, one);
      }
      const stopReason = steps.find((one) => one.stop)?.stop ?? 'end_turn';
      return { stopReason, usage: { inputTokens: 100, outputTokens: 10 } };
    }
    default:
      throw { code: -32601, message: 'unknown method' };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) {
    waiting.get(id)?.(result);
    waiting.delete(id);
  } else if (id !== undefined)
    answer(method, params).then(
      (found) => send({ id, result: found }),
      (error) => send({ id, error }),
    );
}
