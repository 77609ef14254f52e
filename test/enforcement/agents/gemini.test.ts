import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findAgentHooks } from '../../../src/enforcement/agents/agent-hooks.ts';
import {
  isGeminiAnswer,
  readGeminiEvent,
  writeGeminiAnswer,
} from '../../../src/enforcement/agents/gemini.ts';
import { answerHook } from '../../../src/enforcement/hooks/answer-hook.ts';
import type { HookAnswer, HookEvent } from '../../../src/enforcement/hooks/hook-event.ts';

/** Payloads of Gemini CLI 0.61.0, recorded from the real program. `npm run test:agents` compares them with it. */
const RECORDED: Record<string, unknown>[] = JSON.parse(
  readFileSync(new URL('recorded/gemini-0.61.0.json', import.meta.url), 'utf8'),
);

function read(payload: object): HookEvent | undefined {
  return readGeminiEvent({ session_id: 's', cwd: '/p', ...payload });
}

function acting(tool_name: string, tool_input: unknown) {
  const event = read({ hook_event_name: 'BeforeTool', tool_name, tool_input });
  return event?.type === 'acting' ? event : undefined;
}

describe('recorded payloads of Gemini CLI', () => {
  const events = RECORDED.map(readGeminiEvent);

  it('are all events', () => {
    expect(events.filter((event) => event === undefined)).toEqual([]);
    expect(new Set(events.map((event) => event?.type))).toEqual(
      new Set(['session-began', 'prompted', 'acting', 'acted', 'stopping', 'session-ended', 'other']),
    );
  });

  it('give each tool its request', () => {
    const requests = events.flatMap((event) =>
      event?.type === 'acting' ? [[event.tool, event.request]] : [],
    );
    expect(requests).toEqual([
      ['run_shell_command', { kind: 'command', command: 'echo hi > shell.txt', background: false }],
      ['write_file', { kind: 'write', path: 'edited.txt', content: 'line one\n' }],
      [
        'replace',
        {
          kind: 'replace',
          path: 'edited.txt',
          replacements: [{ old: 'line one', new: 'line 1', all: false }],
          searches: true,
        },
      ],
      ['mcp_notes_write_note', { kind: 'tool', name: 'mcp_notes_write_note', input: { text: 'via mcp' } }],
      ['read_file', { kind: 'read', paths: ['a.txt'], whole: true }],
      ['list_directory', { kind: 'read', paths: ['.'], whole: false }],
      ['glob', { kind: 'read', paths: ['.'], whole: false }],
      ['grep_search', { kind: 'read', paths: ['.'], whole: false }],
      ['write_todos', expect.objectContaining({ kind: 'tool', talks: true })],
      ['run_shell_command', { kind: 'command', command: 'sleep 1', background: true }],
      ['run_shell_command', { kind: 'command', command: 'ls /nonexist', background: false }],
    ]);
  });

  it('give the end of an action the id of its beginning', () => {
    const ids = (type: 'acting' | 'acted') =>
      events.flatMap((event) => (event?.type === type ? [event.action] : [])).sort();
    expect(ids('acting')).toEqual(ids('acted'));
    expect(new Set(ids('acting')).size).toBe(ids('acting').length);
  });
});

describe('events of Gemini CLI', () => {
  it('tell a person’s prompt from context and from GuardKit’s own', () => {
    const prompted = (prompt: string) => read({ hook_event_name: 'BeforeAgent', prompt });
    expect(prompted('Go')).toMatchObject({ text: 'Go', byPerson: true });
    expect(prompted('<hook_context>rules</hook_context>\n\nGo')).toMatchObject({
      text: 'Go',
      byPerson: true,
    });
    const { reason } = writeGeminiAnswer(
      { type: 'stopping', source: SOURCE, of: 'session', again: false, said: '' },
      { decision: 'stop', reason: 'Not verified.' },
    );
    expect(prompted(String(reason))).toMatchObject({ byPerson: false });
  });

  it('place a command in its folder', () => {
    expect(acting('run_shell_command', { command: 'ls', dir_path: 'sub' })?.source.cwd).toBe('/p/sub');
    expect(acting('run_shell_command', { command: 'ls' })?.source.cwd).toBe('/p');
  });

  it('judge a memory as a change to the person’s settings, and agents as agents', () => {
    expect(acting('save_memory', { fact: 'x' })?.request).toMatchObject({ kind: 'change' });
    expect(acting('invoke_agent', { agent_name: 'helper' })?.request).toEqual({
      kind: 'spawn',
      type: 'helper',
    });
  });

  it('report whether a stop was held back before', () => {
    const stop = (stop_hook_active?: boolean) =>
      read({ hook_event_name: 'AfterAgent', prompt: 'Go', prompt_response: 'Done.', stop_hook_active });
    expect(stop()).toMatchObject({ type: 'stopping', again: false, said: 'Done.' });
    expect(stop(true)).toMatchObject({ again: true });
  });
});

const SOURCE = {
  agent: 'gemini',
  session: 's',
  cwd: '/p',
  actorType: undefined,
  actorId: undefined,
  canAsk: false,
};

describe('answers to Gemini CLI', () => {
  const event = acting('run_shell_command', { command: 'x' }) as HookEvent;

  it.each<[string, HookAnswer, object]>([
    ['allow', { decision: 'go' }, {}],
    ['refuse', { decision: 'stop', reason: 'no' }, { decision: 'deny', reason: 'no' }],
    ['refuse instead of asking', { decision: 'ask', reason: 'no' }, { decision: 'deny', reason: 'no' }],
    ['show a notice', { decision: 'go', notice: 'n' }, { systemMessage: 'n' }],
  ])('%s', (_, answer, json) => {
    const written = writeGeminiAnswer(event, answer);
    expect(written).toEqual(json);
    expect(isGeminiAnswer(written)).toBe(true);
  });

  it('always have a reason for a refusal, since Gemini CLI lets the action run without one', () => {
    const { reason } = writeGeminiAnswer(event, { decision: 'stop' });
    expect(String(reason).trim()).not.toBe('');
  });

  it.each([
    { decision: 'deny' },
    { decision: 'deny', reason: ' ' },
    { decision: 'block', reason: 'no' },
    { permissionDecision: 'deny' },
    { systemMessage: 1 },
  ])('are not %j', (answer) => {
    expect(isGeminiAnswer(answer)).toBe(false);
  });

  it('refuse an action that cannot be judged, and never a prompt', async () => {
    const gemini = findAgentHooks('gemini');
    if (!gemini) throw new Error('no adapter');
    const ask = (hook_event_name: string) =>
      answerHook({
        agent: gemini,
        env: {},
        payload: () =>
          JSON.stringify({
            session_id: 's',
            cwd: '/p',
            hook_event_name,
            prompt: 'x',
            tool_name: 't',
            tool_input: {},
          }),
        handle: () => Promise.reject(new Error('broken')),
      });
    expect(await ask('BeforeTool')).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/\w/) });
    expect(await ask('BeforeAgent')).toMatchObject({ exitCode: 0 });
  });
});
