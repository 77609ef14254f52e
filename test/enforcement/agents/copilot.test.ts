import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findAgentHooks, reportingAgent } from '../../../src/enforcement/agents/agent-hooks.ts';
import { readCopilotEvent, writeCopilotAnswer } from '../../../src/enforcement/agents/copilot.ts';
import { isToolUseAnswer } from '../../../src/enforcement/agents/tool-use-answers.ts';
import type { HookEvent } from '../../../src/enforcement/hooks/hook-event.ts';

/** Payloads of Copilot CLI 1.0.102, recorded from the real program. `npm run test:agents` compares them with it. */
const RECORDED: Record<string, unknown>[] = JSON.parse(
  readFileSync(new URL('recorded/copilot-1.0.102.json', import.meta.url), 'utf8'),
);

function read(payload: object): HookEvent | undefined {
  return readCopilotEvent({ session_id: 's', cwd: '/p', ...payload });
}

function acting(tool_name: string, tool_input: unknown) {
  const event = read({ hook_event_name: 'PreToolUse', tool_name, tool_input });
  return event?.type === 'acting' ? event : undefined;
}

describe('recorded payloads of Copilot CLI', () => {
  const events = RECORDED.map(readCopilotEvent);

  it('are all events', () => {
    expect(events.filter((event) => event === undefined)).toEqual([]);
    expect(new Set(events.map((event) => event?.type))).toEqual(
      new Set(['session-began', 'prompted', 'acting', 'acted', 'stopping', 'session-ended', 'other']),
    );
  });

  it('give each tool its request', () => {
    const requests = events.flatMap((event) => (event?.type === 'acting' ? [event.request] : []));
    const command = (text: string, background = false) => ({
      kind: 'command',
      command: text,
      background,
      typable: true,
    });
    expect(requests).toEqual([
      command('echo hello > shell3.txt'),
      { kind: 'write', path: '/project/a3.txt', content: '1\n' },
      { kind: 'replace', path: '/project/a3.txt', replacements: [{ old: '1', new: '2', all: false }] },
      { kind: 'read', paths: ['/project/a3.txt'], whole: true },
      { kind: 'read', paths: ['.'], whole: false },
      { kind: 'read', paths: ['.'], whole: false },
      command('ls /nonexist'),
      command('sleep 1; echo b > bg.txt', true),
      { kind: 'spawn', type: 'general-purpose' },
      command('echo sub > sub.txt'),
    ]);
  });

  it('give the end of an action the id of its beginning', () => {
    const ids = (type: 'acting' | 'acted') =>
      events.flatMap((event) => (event?.type === type ? [event.action] : [])).sort();
    expect(ids('acting')).toEqual(ids('acted'));
    expect(new Set(ids('acting')).size).toBe(ids('acting').length);
  });

  it('tell subagents from the session, of which they are a part', () => {
    expect(new Set(events.map((event) => event?.source.session)).size).toBe(1);
    const inSubagent = events.filter((event) => event?.type === 'acting' && event.source.actorId);
    expect(inSubagent).toMatchObject([{ source: { actorType: 'general-purpose' } }]);
    expect(events.filter((event) => event?.type === 'prompted')).toMatchObject([
      { text: 'Go on', byPerson: true },
      { text: 'do SUB', byPerson: false },
      { text: expect.stringContaining('system_notification'), byPerson: false },
    ]);
    expect(events.filter((event) => event?.type === 'stopping')).toMatchObject([
      { of: 'subagent' },
      { of: 'session' },
      { of: 'session' },
    ]);
  });
});

describe('events of Copilot CLI', () => {
  it('tell a person’s prompt from GuardKit’s own', () => {
    const { reason } = writeCopilotAnswer(STOPPING, { decision: 'stop', reason: 'Not verified.' });
    const event = read({ hook_event_name: 'UserPromptSubmit', prompt: String(reason) });
    expect(event).toMatchObject({ type: 'prompted', byPerson: false });
  });

  it('contain patches, text typed into a shell, and memories, which guards judge', () => {
    const patch = '*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch\n';
    for (const input of [patch, { input: patch }, { patch }])
      expect(acting('apply_patch', input)?.request).toMatchObject({
        kind: 'patch',
        files: [{ path: 'a.txt' }],
      });
    expect(acting('apply_patch', 1)?.request).toMatchObject({ kind: 'patch', unread: expect.any(String) });
    expect(acting('write_bash', { shellId: '1', input: 'rm x{enter}', delay: 1 })?.request).toMatchObject({
      kind: 'command',
      command: 'rm x{enter}',
    });
    expect(acting('store_memory', { fact: 'x' })?.request).toMatchObject({ kind: 'change' });
  });
});

const SOURCE = {
  agent: 'copilot',
  session: 's',
  cwd: '/p',
  actorType: undefined,
  actorId: undefined,
  canAsk: false,
};
const STOPPING: HookEvent = { type: 'stopping', source: SOURCE, of: 'session', again: false, said: '' };

describe('hooks for Copilot CLI', () => {
  it('answer in the form that it understands', () => {
    const event: HookEvent = {
      type: 'acting',
      source: SOURCE,
      action: 'a',
      tool: 'Bash',
      request: { kind: 'read', paths: [], whole: false },
    };
    const answer = writeCopilotAnswer(event, { decision: 'ask', reason: 'no' });
    expect(answer).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect(isToolUseAnswer(answer)).toBe(true);
    expect(writeCopilotAnswer(STOPPING, { decision: 'stop', reason: 'no' })).toMatchObject({
      decision: 'block',
    });
  });

  it('answer as for Copilot CLI if it runs the hooks of Claude Code', () => {
    const env = { COPILOT_PROJECT_DIR: '/p' };
    expect(['claude', '', 'codex'].map((name) => reportingAgent(name, env))).toEqual([
      'copilot',
      'copilot',
      'codex',
    ]);
    expect([reportingAgent('claude', {}), reportingAgent('', {})]).toEqual(['claude', '']);
    expect(findAgentHooks('copilot')?.origin({ env, cwd: '/p/sub' })).toEqual({
      folder: '/p',
      agentPid: undefined,
    });
  });
});
