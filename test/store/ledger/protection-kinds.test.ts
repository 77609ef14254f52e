import { describe, expect, it } from 'vitest';
import { deliverOutbox } from '../../../src/store/ledger/outbox/deliver-outbox.ts';
import { PROJECT, temporaryLedger, temporaryStore } from './ledger-fixture.ts';

const RESTORED = {
  path: '.claude/settings.json',
  absolute: '/home/ada/shop/.claude/settings.json',
  checkout: '/home/ada/shop',
  session: 'session-1',
  agent: 'claude',
  agent_type: null,
  action: 'tool-1',
  reason: 'git-command',
  what: 'git stash pop left a version that is in no commit',
  found_hash: 'a'.repeat(64),
  found_mode: 0o644,
  quarantined: 'shop-4f2a/2026-settings.json',
  restored_hash: 'b'.repeat(64),
  restored_mode: 0o755,
  during: 'Bash git stash pop',
};

const NOTICED = {
  path: '.git/hooks/pre-commit',
  absolute: '/home/ada/shop/.git/hooks/pre-commit',
  checkout: '/home/ada/shop',
  change: 'added',
  hash: 'c'.repeat(64),
  mode: 0o755,
  what: 'a git hook was added',
  agents_running: true,
};

const BODIES: Record<string, Record<string, unknown>> = {
  file_restored: RESTORED,
  change_noticed: NOTICED,
  changes_seen: { numbers: [1, 2], by: 'Ada' },
  definition_recorded: { path: 'tasks/a.md', digest: null, origin: 'working-files', checkout: '/shop' },
  definitions_trusted: { commit: 'd'.repeat(40), reason: 'upgrade', by: null },
  protection_paused: { until: '2026-11-15T10:00:00.000Z', reason: '', by: 'Ada' },
  protection_resumed: { by: 'guardkit', automatic: true },
};

describe('entries about protection', () => {
  it.each(Object.entries(BODIES))('%s is read back unchanged', (kind, body) => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, kind, body);
    expect(ledger.entries(PROJECT, { kind }).map((entry) => entry.body)).toEqual([body]);
    expect(ledger.verify(PROJECT)).toMatchObject({ ok: true });
  });

  it('file_restored and change_noticed never reach memory', async () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'file_restored', RESTORED);
    ledger.append(PROJECT, 'change_noticed', NOTICED);
    const store = await temporaryStore();
    await deliverOutbox(ledger, store);
    expect(await store.list(`${PROJECT}__traces`)).toEqual([]);
  });

  it('a long command is cut rather than refused, and secrets are scrubbed', () => {
    const ledger = temporaryLedger();
    const during = `curl -H "Authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL" ${'x'.repeat(9000)}`;
    ledger.append(PROJECT, 'file_restored', { ...RESTORED, during });
    const [entry] = ledger.entries(PROJECT, { kind: 'file_restored' });
    expect(String(entry?.body.during).length).toBeLessThanOrEqual(500);
    expect(String(entry?.body.during)).not.toContain('sk-ant-api03');
  });

  it('an unknown reason is refused', () => {
    const ledger = temporaryLedger();
    expect(() => ledger.append(PROJECT, 'file_restored', { ...RESTORED, reason: 'mood' })).toThrow(
      expect.objectContaining({ code: 'ledger.invalid-body' }),
    );
  });
});
