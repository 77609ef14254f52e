import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { claudeProgram, use } from '../orchestration/drivers/driver-benches.ts';
import { Sandbox } from '../support/cli.ts';
import { LIST_PATH, listText } from '../support/hooked-project.ts';
import { type MessagesRequest, type Reply, startMessagesServer } from '../support/messages-server.ts';

const PROGRAM = claudeProgram();
const WITHOUT_PROGRAM = PROGRAM ? '' : ' (the Claude Agent SDK has no program for this system here)';
const SESSIONS_MS = 240_000;
const PROJECT = 'shop-1';
const DONE: Reply = { content: [{ type: 'text', text: 'All done.' }] };

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = new Sandbox();
  sandbox.emptyRepository('shop');
  sandbox.write('shop/.guardkit/config.yaml', `project: ${PROJECT}\n`);
  sandbox.write('shop/src/cart.js', 'export const cart = [];\n');
  sandbox.git('shop', 'add', '-A');
  sandbox.commit('shop', 'Begin');
  sandbox.write(`shop/${LIST_PATH}`, listText([{ id: 'FEAT-1' }, { id: 'FEAT-2' }]));
  await sandbox.guardkit(['init', '--yes', '--agent', 'claude'], { in: 'shop' });
});
afterEach(() => sandbox.cleanup());

/** One session of the real program with scripted replies; returns each request to the model. */
async function session(replies: readonly Reply[]): Promise<string[]> {
  const server = await startMessagesServer(({ messages }: MessagesRequest) => {
    const answered = messages.filter(({ role }) => role === 'assistant').length;
    return replies[Math.min(answered, replies.length - 1)] ?? DONE;
  });
  await new Promise<void>((resolve) => {
    const child = execFile(
      String(PROGRAM),
      [
        ...['-p', 'Go on with the features', '--output-format', 'stream-json', '--verbose'],
        ...['--allowedTools', 'Write,Read', '--permission-mode', 'acceptEdits'],
      ],
      { cwd: sandbox.path('shop'), env: { ...server.env(sandbox.path('home')), GUARDKIT_HOME: '/nowhere' } },
      () => resolve(),
    );
    child.stdin?.end();
  });
  return server.requests.map(({ system, messages }) => JSON.stringify([system, messages]));
}

/** The agent marks an untested feature as tested. */
function claim(feature: string): Reply {
  const others = ['FEAT-1', 'FEAT-2'].filter((id) => id !== feature);
  return use('Write', {
    file_path: sandbox.path('shop', LIST_PATH),
    content: listText([{ id: feature, tested: true }, ...others.map((id) => ({ id }))]),
  });
}

async function asPerson(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await sandbox.guardkit([...args, '--json'], {
    in: 'shop',
    person: true,
    input: 'y\n',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

function entries(kind: string): Record<string, unknown>[] {
  const ledger = openLedger({ path: sandbox.path('data', 'ledger.db') });
  try {
    expect(ledger.verify(PROJECT).ok).toBe(true);
    return ledger.entries(PROJECT, { kind }).map(({ body }) => body);
  } finally {
    ledger.close();
  }
}

describe.skipIf(!PROGRAM)(`a repeated violation by the real Claude Code${WITHOUT_PROGRAM}`, () => {
  it(
    'becomes a pattern, then a guard with a backtest, then stops the action and informs the next agent',
    async () => {
      await session([claim('FEAT-1'), claim('FEAT-1'), DONE]);
      expect((await asPerson('graphiti', 'list', 'patterns')).episodes).toEqual([]);
      await session([claim('FEAT-2'), DONE]);
      // Found at the end of the session, without a command.
      const listed = await asPerson('graphiti', 'list', 'patterns');
      expect(listed.episodes).toMatchObject([
        { body: { guard: 'block-tested-true', count: 3, features: ['FEAT-1', 'FEAT-2'], sessions: 2 } },
      ]);
      const [{ entity_id: pattern }] = listed.episodes as [{ entity_id: string }];
      const proposed = await asPerson('guard', 'propose', pattern);
      expect(proposed).toMatchObject({
        proposed: true,
        guard: {
          mode: 'shadow',
          definition: { fields: [{ field: 'tested', to: true }] },
          backtest: { fired: 3, violations: 3, approved: 0, false_blocks: [] },
        },
      });
      const { guard_id: guard } = proposed.guard as { guard_id: string };
      expect(await asPerson('guard', 'promote', guard)).toMatchObject({ promoted: true });
      const told = await session([claim('FEAT-1'), DONE]);
      const last = entries('action_judged').at(-1);
      expect(last).toMatchObject({ decision: 'deny' });
      expect(last?.findings).toContainEqual(
        expect.objectContaining({ guard, decision: 'deny', silent: null }),
      );
      expect(told.join()).toContain(`[${guard}]`);
      expect(told.join()).toContain(pattern);
      expect(JSON.parse(readFileSync(sandbox.path('shop', LIST_PATH), 'utf8')).features).toMatchObject([
        { tested: false },
        { tested: false },
      ]);
      // Before its first action.
      expect(told[0]).toContain('block-tested-true');
    },
    SESSIONS_MS,
  );
});
