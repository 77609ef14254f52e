import { expect, test } from 'vitest';
import { followLog } from '../../../src/interfaces/cli/status/log.ts';
import { DayGround, PROGRAM, PROJECT } from './day-ground.ts';

interface Logged {
  events: { number: number; kind: string; word: string; who: string[]; text: string }[];
}

function eventful(): DayGround {
  const ground = new DayGround();
  ground.refuse('Edit tasks/TASK-1.md');
  ground.sandbox.write('shop/hook', 'x');
  ground.keep('hook');
  ground.notice('.git/hooks/pre-commit');
  ground.record('acceptance_recorded', { path: 'tasks/TASK-1.md', digest: null, reason: '', by: 'Ada' });
  ground.record('protection_paused', { until: new Date().toISOString(), reason: 'demo', by: 'Ada' });
  ground.record('protection_resumed', { by: 'Ada', automatic: false });
  ground.record('waiver_revoked', { waiver_id: 'w-1', by: 'Ada' });
  return ground;
}

test('one line per event, newest last', async () => {
  const ground = eventful();
  const { events } = await ground.json<Logged>(['log']);
  expect(events.map(({ kind }) => kind)).toEqual([
    'refusals',
    'restores',
    'changes',
    'acceptances',
    'pauses',
    'pauses',
    'waivers',
  ]);
  const { stdout } = await ground.sandbox.guardkit(['log'], PROGRAM);
  expect(stdout.trim().split('\n')).toHaveLength(7);
});

test('a version whose author is unknown is not called an agent’s', async () => {
  const ground = new DayGround();
  const body = { path: 'tasks/TASK-1.md', digest: 'a'.repeat(64), checkout: ground.file('') };
  for (const origin of ['edit-tool', 'commit', 'unknown'])
    ground.record('definition_proposed', { ...body, origin, session: null });
  const { events } = await ground.json<Logged>(['log']);
  const [agents, committed, unknown] = events.map(({ text }) => text);
  expect(committed).toBe(unknown);
  expect(committed).not.toBe(agents);
});

test.each([
  [
    ['--kind', 'pauses'],
    ['paused', 'resumed'],
  ],
  [
    ['--agent', 'claude'],
    ['refused', 'restored'],
  ],
  [['--agent', 'ada', '--kind', 'acceptances'], ['accepted']],
  [['--limit', '1'], ['revoked']],
  [['--since', '2d', '--kind', 'restores'], ['restored']],
  [['--since', '2999-01-01'], []],
])('%j gives %j', async (args, words) => {
  const { events } = await eventful().json<Logged>(['log', ...args]);
  expect(events.map(({ word }) => word)).toEqual(words);
});

test('allowed and warned actions, and what doctor tries, are left out', async () => {
  const ground = new DayGround();
  const judged = {
    agent: 'claude',
    agent_type: null,
    action: null,
    tool: 'Edit',
    kind: 'edit',
    findings: [],
  };
  ground.record('action_judged', { ...judged, session: 's', summary: 'a', decision: 'warn' });
  ground.record('action_judged', { ...judged, session: 'guardkit-doctor-1', summary: 'b', decision: 'deny' });
  expect((await ground.json<Logged>(['log'])).events).toEqual([]);
});

test('an unknown kind is refused', async () => {
  expect((await new DayGround().sandbox.guardkit(['log', '--kind', 'all'], PROGRAM)).exitCode).toBe(2);
});

test('--follow prints each new event once', async () => {
  const ground = eventful();
  const stop = new AbortController();
  const words: string[] = [];
  const following = followLog(
    { ledger: ground.ledger, project: PROJECT },
    { kind: 'refusals', limit: 50 },
    ({ text }) => {
      words.push(text);
      if (words.length === 1) ground.refuse('Edit second');
      if (words.length === 2) ground.refuse('Edit third');
      if (words.length === 3) stop.abort();
    },
    stop.signal,
  );
  await following;
  expect(words.map((text) => /Edit \S+/.exec(text)?.[0])).toEqual([
    'Edit tasks/TASK-1.md',
    'Edit second',
    'Edit third',
  ]);
});
