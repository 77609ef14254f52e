import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Feature, featureSchema } from '../../../src/domain/entities/feature.ts';
import { sessionStateSchema } from '../../../src/domain/entities/session-state.ts';
import { listContext } from '../../../src/enforcement/feature-list/known-list.ts';
import { projectFeatures } from '../../../src/enforcement/feature-list/project-features.ts';
import { NO_LIMITS } from '../../../src/orchestration/session/session.ts';
import type { SessionEvent } from '../../../src/orchestration/session/session-event.ts';
import {
  applyEvent,
  type SessionFilesContext,
  startSession,
} from '../../../src/orchestration/session-record/apply-event.ts';
import { openSessions, readKeptSession } from '../../../src/orchestration/session-record/kept-session.ts';
import {
  attemptFailures,
  sessionFeatures,
} from '../../../src/orchestration/session-record/session-features.ts';
import type { Ledger } from '../../../src/store/ledger/ledger.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { readFeature, recordFeatures } from '../../../src/store/ledger/tables/feature-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PROJECT = 'shop-1234';
const ID = 'S1';
const AT = '2030-01-31T12:00:00.000Z';

let ledger: Ledger;
let context: SessionFilesContext;
let checkout: string;

beforeEach(async () => {
  const folder = temporaryFolder();
  checkout = join(folder, 'shop');
  mkdirSync(join(checkout, '.claude', 'progress'), { recursive: true });
  mkdirSync(join(folder, 'data'));
  ledger = openLedger({ path: join(folder, 'data', 'ledger.db') });
  const opened = ledger;
  onTestFinished(() => opened.close());
  const list = listContext(ledger, PROJECT, checkout, join(folder, 'data'));
  context = { list, changedBy: { inWindow: false } };
  const features = ['F1', 'F2'].map((id) => featureSchema.parse({ id, description: id }));
  recordFeatures(ledger, PROJECT, { by: 'person', actor: 'me', features });
  await projectFeatures(list, context.changedBy, { create: true });
  startSession(context, {
    id: ID,
    at: AT,
    driven_by: 'run',
    limits: NO_LIMITS,
    agent_session: null,
    details: { branch: 'b' },
  });
  tell({ type: 'features_known', at: AT, features: sessionFeatures(ledger, PROJECT) });
  tell({ type: 'features_known', at: AT, features: sessionFeatures(ledger, PROJECT) });
});

function tell(event: SessionEvent) {
  return applyEvent(context, ID, event);
}

const built = (feature: string, attempt: number, outcome: 'approved' | 'failed', why = 'no') =>
  ({ type: 'build_ended', at: AT, feature, attempt, outcome, why, tried: '', cost_usd: 0 }) as const;
const passed = (feature: string) =>
  ({
    type: 'verified',
    at: AT,
    feature,
    attempt: 1,
    outcome: 'pass',
    evidence: ['VER-1'],
    gates: [],
  }) as const;

const kinds = () => ledger.entries(PROJECT).map(({ kind }) => kind);
const state = () => JSON.parse(readFileSync(join(checkout, '.claude/progress/session-state.json'), 'utf8'));
const listed = (): Feature[] =>
  JSON.parse(readFileSync(join(checkout, '.claude/progress/feature-list.json'), 'utf8')).features;

describe('an event of a session', () => {
  it('changes session, feature, list and session-state.json together', () => {
    expect(readKeptSession(ledger, PROJECT, ID)?.session).toMatchObject({ phase: 'coding', feature: 'F1' });
    expect(listed()[0]).toMatchObject({ id: 'F1', status: 'in_progress' });
    expect(sessionStateSchema.parse(state())).toMatchObject({ state: 'coding', feature: 'F1', attempt: 1 });
    expect(kinds().filter((kind) => kind === 'attempt_began')).toHaveLength(1);
    expect(openSessions(ledger, PROJECT)).toHaveLength(1);
  });

  it('that completes a feature which is no longer tested changes nothing [SESSION-1]', () => {
    tell(built('F1', 1, 'approved'));
    const before = { entries: kinds(), state: state(), session: readKeptSession(ledger, PROJECT, ID) };
    expect(() => tell(passed('F1'))).toThrow(expect.objectContaining({ code: 'session.not-tested' }));
    expect({ entries: kinds(), state: state(), session: readKeptSession(ledger, PROJECT, ID) }).toEqual(
      before,
    );
  });

  it('that does not apply is recorded and changes nothing', () => {
    const before = readKeptSession(ledger, PROJECT, ID);
    const { refused, acts } = tell(built('F2', 1, 'approved'));
    expect(refused).toContain('F1');
    expect(acts).toEqual([]);
    expect(readKeptSession(ledger, PROJECT, ID)).toEqual(before);
    expect(kinds().at(-1)).toBe('session_refused');
  });

  it('stores no secret from an agent’s text in table, chain or file [SEC-1]', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    tell(built('F1', 1, 'failed', `the token ${secret} was refused`));
    const kept = readKeptSession(ledger, PROJECT, ID);
    for (const text of [
      JSON.stringify(kept),
      JSON.stringify(ledger.entries(PROJECT)),
      JSON.stringify(state()),
    ])
      expect(text).not.toContain(secret);
    expect(kept?.session.failures[0]?.why).toContain('scrubbed');
  });

  it('stores the driver’s details, computed from the new session', () => {
    const details = (_before: unknown, next: { phase: string }) => ({ phase: next.phase });
    applyEvent(context, ID, built('F1', 1, 'approved'), { details });
    expect(readKeptSession(ledger, PROJECT, ID)?.details).toEqual({ phase: 'verifying' });
  });

  it('counts even if session-state.json cannot be written, and reports that', () => {
    const file = join(checkout, '.claude/progress/session-state.json');
    rmSync(file);
    mkdirSync(file);
    expect(tell(built('F1', 1, 'approved')).unwritten).toBeDefined();
    expect(readKeptSession(ledger, PROJECT, ID)?.session.phase).toBe('verifying');
  });

  it('does not write through a link in place of its file', () => {
    const mine = join(checkout, 'mine.txt');
    writeFileSync(mine, 'mine');
    rmSync(join(checkout, '.claude/progress/session-state.json'));
    symlinkSync(mine, join(checkout, '.claude/progress/session-state.json'));
    tell(built('F1', 1, 'approved'));
    expect(readFileSync(mine, 'utf8')).toBe('mine');
    expect(state().state).toBe('verifying');
  });
});

describe('a feature whose attempts fail', () => {
  it('is blocked by the second, with a dossier in the chain and its question in the list [SESSION-2]', () => {
    tell(built('F1', 1, 'failed', 'one'));
    expect(readFeature(ledger, PROJECT, 'F1')).toMatchObject({ retries: 1, status: 'in_progress' });
    tell(built('F1', 2, 'failed', 'two'));
    expect(listed()[0]).toMatchObject({ status: 'blocked', retries: 2, tested: false });
    expect(listed()[0]?.blocked_reason).toContain('two');
    const dossier = ledger.entries(PROJECT, { kind: 'feature_blocked' })[0]?.body;
    expect(dossier).toMatchObject({ feature_id: 'F1', attempts: [{ why: 'one' }, { why: 'two' }] });
  });

  it('starts without them once a person has unblocked it', () => {
    tell(built('F1', 1, 'failed', 'one'));
    tell(built('F1', 2, 'failed', 'two'));
    expect(attemptFailures(ledger, PROJECT, 'F1').map(({ why }) => why)).toEqual(['one', 'two']);
    const body = { feature_id: 'F1', by: 'me', reason: 'now', retries: 2, blocked_reason: null };
    ledger.append(PROJECT, 'feature_unblocked', body);
    expect(attemptFailures(ledger, PROJECT, 'F1')).toEqual([]);
  });

  it('and has another started is known to be unfinished', () => {
    tell(built('F1', 1, 'failed', 'one'));
    const [first, second] = sessionFeatures(ledger, PROJECT);
    expect(first).toMatchObject({ id: 'F1', retries: 1, unfinished: true, failures: [{ why: 'one' }] });
    expect(second).toMatchObject({ id: 'F2', unfinished: false, failures: [] });
  });
});
