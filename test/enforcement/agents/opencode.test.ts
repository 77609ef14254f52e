import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findAgentHooks } from '../../../src/enforcement/agents/agent-hooks.ts';
import {
  isOpencodeAnswer,
  readOpencodeEvent,
  writeOpencodeAnswer,
} from '../../../src/enforcement/agents/opencode.ts';
import { OWN_PROMPT } from '../../../src/enforcement/agents/shared-answers.ts';
import { answerHook } from '../../../src/enforcement/hooks/answer-hook.ts';
import type { HookAnswer, HookEvent } from '../../../src/enforcement/hooks/hook-event.ts';

/** What GuardKit's plugin sent from OpenCode 1.18.18. `npm run test:agents` compares it with the real program. */
const RECORDED: Record<string, unknown>[] = JSON.parse(
  readFileSync(new URL('recorded/opencode-1.18.18.json', import.meta.url), 'utf8'),
);

function read(payload: object): HookEvent | undefined {
  return readOpencodeEvent({ session: 's', directory: '/p', ...payload });
}

function acting(tool: string, args: unknown) {
  const event = read({ hook: 'before', tool, call: 'c', args });
  return event?.type === 'acting' ? event : undefined;
}

describe('recorded payloads of the plugin in OpenCode', () => {
  const events = RECORDED.map(readOpencodeEvent);

  it('are all events', () => {
    expect(events.filter((event) => event === undefined)).toEqual([]);
    expect(new Set(events.map((event) => event?.type))).toEqual(
      new Set([
        ...['session-began', 'prompted', 'acting', 'acted', 'subagent-began', 'stopping', 'session-ended'],
      ]),
    );
  });

  it('give each tool its request', () => {
    const requests = events.flatMap((event) =>
      event?.type === 'acting' ? [[event.tool, event.request]] : [],
    );
    const edit = (old: string, next: string) => ({
      kind: 'replace',
      path: 'edited.txt',
      replacements: [{ old, new: next, all: false }],
    });
    expect(requests).toEqual([
      ['bash', { kind: 'command', command: 'echo hi > shell.txt', background: false }],
      ['bash', { kind: 'command', command: 'pwd', background: false }],
      ['write', { kind: 'write', path: 'edited.txt', content: 'line one\n' }],
      ['edit', edit('line one', 'line 1')],
      ['edit', edit('not in it', 'x')],
      ['read', { kind: 'read', paths: ['edited.txt'], whole: true }],
      ['todowrite', expect.objectContaining({ kind: 'tool', talks: true })],
      ['notes_write_note', { kind: 'tool', name: 'notes_write_note', input: { text: 'via mcp' } }],
      ['invalid', expect.objectContaining({ kind: 'tool', talks: true })],
      ['task', { kind: 'spawn', type: 'general' }],
      ['bash', { kind: 'command', command: 'echo child', background: false }],
    ]);
  });

  it('give the end of an action the id of its beginning, also if it failed', () => {
    const ids = (type: 'acting' | 'acted') =>
      events.flatMap((event) => (event?.type === type ? [event.action] : [])).sort();
    expect(ids('acting')).toEqual(ids('acted'));
    const failures = events.flatMap((event) => (event?.type === 'acted' ? [event.failure] : []));
    expect(failures.filter((failure) => failure !== undefined)).toHaveLength(1);
  });

  it('name the subagent of a call', () => {
    const actors = events.flatMap((event) => (event?.type === 'acting' ? [event.source.actorType] : []));
    expect(actors.slice(-2)).toEqual([undefined, 'general']);
    expect(new Set(events.map((event) => event?.source.session)).size).toBe(1);
  });
});

describe('events of OpenCode', () => {
  it('tell a person’s prompt from GuardKit’s own', () => {
    expect(read({ hook: 'prompt', text: 'Go' })).toMatchObject({ byPerson: true });
    expect(read({ hook: 'prompt', text: `${OWN_PROMPT}Verify.` })).toMatchObject({ byPerson: false });
  });

  it('place a command in its folder', () => {
    expect(acting('bash', { command: 'ls', workdir: 'sub' })?.source.cwd).toBe('/p/sub');
    expect(acting('bash', { command: 'ls' })?.source.cwd).toBe('/p');
  });

  it('judge every file of a patch, and refuse one that cannot be read', () => {
    const patchText = '*** Begin Patch\n*** Add File: a.txt\n+x\n*** Delete File: b.txt\n*** End Patch\n';
    expect(acting('apply_patch', { patchText })?.request).toMatchObject({
      kind: 'patch',
      files: [
        { type: 'add', path: 'a.txt' },
        { type: 'delete', path: 'b.txt' },
      ],
    });
    for (const args of [{ patchText: 'nothing' }, {}])
      expect(acting('apply_patch', args)?.request).toMatchObject({
        kind: 'patch',
        unread: expect.any(String),
      });
  });

  it('read the folder of a search, and a part of a file', () => {
    expect(acting('grep', { pattern: 'x' })?.request).toEqual({ kind: 'read', paths: ['.'], whole: false });
    expect(acting('glob', { path: 'src' })?.request).toMatchObject({ paths: ['src'] });
    expect(acting('read', { filePath: 'a', limit: 1 })?.request).toMatchObject({ whole: false });
  });

  it.each([{ session: '' }, { session: 's' }, { session: 's', directory: '/p' }, null, 'text'])(
    'are not %j',
    (payload) => {
      expect(readOpencodeEvent(payload)).toBeUndefined();
    },
  );
});

describe('answers to OpenCode', () => {
  const event = acting('bash', { command: 'x' }) as HookEvent;

  it.each<[string, HookAnswer, object]>([
    ['allow', { decision: 'go' }, {}],
    ['refuse', { decision: 'stop', reason: 'no' }, { decision: 'deny', reason: 'no' }],
    ['refuse instead of asking', { decision: 'ask', reason: 'no' }, { decision: 'deny', reason: 'no' }],
    ['add context', { decision: 'go', context: 'c', notice: 'n' }, { context: 'c', systemMessage: 'n' }],
  ])('%s', (_, answer, json) => {
    const written = writeOpencodeAnswer(event, answer);
    expect(written).toEqual(json);
    expect(isOpencodeAnswer(written)).toBe(true);
  });

  it.each([{ decision: 'deny' }, { decision: 'block', reason: 'no' }, { systemMessage: 1 }, { other: 'x' }])(
    'are not %j',
    (answer) => {
      expect(isOpencodeAnswer(answer)).toBe(false);
    },
  );

  it('refuse an action that cannot be judged, and never a prompt', async () => {
    const agent = findAgentHooks('opencode');
    if (!agent) throw new Error('no adapter');
    const ask = (hook: string) =>
      answerHook({
        agent,
        env: {},
        payload: () =>
          JSON.stringify({ hook, session: 's', directory: '/p', text: 'x', tool: 't', call: 'c', args: {} }),
        handle: () => Promise.reject(new Error('broken')),
      });
    expect(await ask('before')).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/\w/) });
    expect(await ask('prompt')).toMatchObject({ exitCode: 0 });
  });
});
