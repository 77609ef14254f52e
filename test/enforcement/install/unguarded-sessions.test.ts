import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOCAL_SETTINGS } from '../../../src/enforcement/install/settings-file.ts';
import { unguardedSessions } from '../../../src/enforcement/install/unguarded-sessions.ts';
import { CODEX_HOOKS } from '../../../src/enforcement/install/wire-codex.ts';
import { GEMINI_SETTINGS } from '../../../src/enforcement/install/wire-gemini.ts';
import { QWEN_SETTINGS } from '../../../src/enforcement/install/wire-qwen.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const HOURS = 60 * 60 * 1000;

function machine() {
  const home = temporaryFolder();
  const root = join(home, 'shop');
  const hooks = { hooks: { Stop: [{ hooks: [{ command: '/data/bin/guardkit-hook x' }] }] } };
  for (const file of [LOCAL_SETTINGS, CODEX_HOOKS, GEMINI_SETTINGS, QWEN_SETTINGS]) {
    write(join(root, file), JSON.stringify(hooks));
    // The hooks were installed at ten.
    utimesSync(join(root, file), new Date(NOW - 2 * HOURS), new Date(NOW - 2 * HOURS));
  }
  const ledger = openLedger({ path: join(home, 'ledger.db') });
  return {
    root,
    codex(session: string, began: number, cwd = root) {
      const timestamp = new Date(began).toISOString();
      const head = { timestamp, type: 'session_meta', payload: { session_id: session, cwd } };
      write(
        join(home, '.codex/sessions/2026/11/16', `rollout-${session}.jsonl`),
        `${JSON.stringify(head)}\n{}\n`,
      );
    },
    claude(sessionId: string, began: number) {
      const timestamp = new Date(began).toISOString();
      const line = { type: 'user', sessionId, cwd: root, timestamp };
      const lines = [{ type: 'summary' }, { type: 'queue-operation', sessionId, timestamp }, line, line];
      write(
        join(home, '.claude/projects/-shop', `${sessionId}.jsonl`),
        lines.map((one) => `${JSON.stringify(one)}\n`).join(''),
      );
      write(
        join(home, '.claude/projects/-shop', sessionId, 'subagents/a.jsonl'),
        JSON.stringify({ ...line, sessionId: 'x' }),
      );
    },
    gemini(sessionId: string, began: number) {
      const project = join(home, '.gemini/tmp/shop');
      write(join(project, '.project_root'), root);
      const head = { sessionId, startTime: new Date(began).toISOString() };
      write(join(project, 'chats', `session-${sessionId}.jsonl`), `${JSON.stringify(head)}\n`);
    },
    qwen(sessionId: string, began: number) {
      const head = { sessionId, cwd: root, timestamp: new Date(began).toISOString(), type: 'user' };
      const project = join(home, '.qwen/projects/shop');
      write(join(project, 'chats', `${sessionId}.jsonl`), `${JSON.stringify(head)}\n`);
      write(join(project, 'subagents', `${sessionId}.jsonl`), `${JSON.stringify(head)}\n`);
    },
    find: () =>
      unguardedSessions({ ledger, project: 'shop-1', root }, { HOME: home }, NOW).map(
        ({ agent, session }) => `${agent} ${session}`,
      ),
  };
}

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

describe('sessions that no hook reported', () => {
  it('are found in the agents’ own files, by folder and time', () => {
    const { root, claude, codex, gemini, qwen, find } = machine();
    expect(find()).toEqual([]);
    codex('unseen', NOW - HOURS);
    codex('in-subfolder', NOW - HOURS, join(root, 'src'));
    codex('before-installation', NOW - 3 * HOURS);
    codex('elsewhere', NOW - HOURS, '/other');
    gemini('seen-by-nobody', NOW - HOURS);
    qwen('neither', NOW - HOURS);
    claude('alone', NOW - HOURS);
    claude('earlier', NOW - 3 * HOURS);
    expect(find().sort()).toEqual([
      'claude alone',
      'codex in-subfolder',
      'codex unseen',
      'gemini seen-by-nobody',
      'qwen neither',
    ]);
  });

  it('are none if the files cannot be read', () => {
    const { root, find } = machine();
    write(join(root, '../.codex/sessions/2026/11/16/rollout-x.jsonl'), 'not JSON\n');
    expect(find()).toEqual([]);
  });
});
