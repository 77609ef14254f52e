import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findSandbox } from '../../../../src/platform/sandbox/find-sandbox.ts';
import { makeMachineKey, publicPem } from '../../../../src/platform/signing/machine-key.ts';
import { openLedger } from '../../../../src/store/ledger/open-ledger.ts';
import { deliverToMemory } from '../../../../src/store/ledger/outbox/deliver-to-memory.ts';
import { CiProject } from '../../../support/ci-project.ts';
import { forgeEntry, removeEntry } from '../../../support/forge-entry.ts';
import { createDatabase } from '../../../support/postgres.ts';
import { further } from '../../../support/thorough.ts';
import { HONEST_CHANGE } from '../../../support/verified-project.ts';

const PROJECT = 'calc-1234';
const opened: CiProject[] = [];
afterEach(() => {
  for (const project of opened.splice(0)) project.cleanup();
});
const sandbox = await findSandbox();

function ledgerPath(calc: CiProject): string {
  return join(calc.sandbox.home, 'ledger.db');
}

async function verifyLedger(calc: CiProject, args: string[] = [], env: Record<string, string> = {}) {
  const { stdout, exitCode } = await calc.sandbox.guardkit(['ledger', 'verify', '--json', ...args], {
    in: 'calc',
    env,
  });
  return { ...JSON.parse(stdout), exitCode };
}

/** A project whose last entry is a violation; returns its number. */
function violate(calc: CiProject): number {
  const ledger = openLedger({ path: ledgerPath(calc) });
  try {
    return ledger.append(PROJECT, 'violation_recorded', {
      session: 's1',
      agent: 'claude',
      agent_type: null,
      guard: 'block-tested-true',
      what: 'marked a feature as tested',
      path: 'list.json',
      before_hash: null,
      found_hash: null,
      quarantined: null,
      restored: true,
      action: null,
      feature: null,
    }).number;
  } finally {
    ledger.close();
  }
}

function project(): CiProject {
  const calc = new CiProject();
  opened.push(calc);
  return calc;
}

describe.skipIf(!sandbox.available)(`an attestation ${sandbox.available ? '' : sandbox.why}`, () => {
  async function attested(): Promise<{ calc: CiProject; violation: number }> {
    const calc = project();
    calc.write(HONEST_CHANGE);
    calc.commit('Subtract\n\nGuardkit-Task: TASK-001');
    await calc.sandbox.guardkit(['verify', 'TASK-001'], { in: 'calc' });
    expect(await verifyLedger(calc)).toMatchObject({ exitCode: 0, ok: true, anchors: 0 });
    const violation = violate(calc);
    await calc.sandbox.guardkit(['attest', 'TASK-001', '--note'], { in: 'calc' });
    expect(await verifyLedger(calc)).toMatchObject({ exitCode: 0, ok: true, anchors: 1 });
    return { calc, violation };
  }

  further('[LEDGER-2] shows that the newest entry was removed', async () => {
    const { calc, violation } = await attested();
    removeEntry(ledgerPath(calc), PROJECT, violation);
    expect(await verifyLedger(calc)).toMatchObject({
      exitCode: 1,
      ok: false,
      reason: 'anchor',
      first: violation,
      anchor: { source: { type: 'attestation', commit: calc.git('rev-parse', 'HEAD').trim() } },
    });
  });

  further('[LEDGER-2] is in the log of `guardkit ci`, and that log shows the removal too', async () => {
    const { calc, violation } = await attested();
    calc.sandbox.write('me.pem', publicPem(makeMachineKey(calc.sandbox.home)));
    const runner = calc.clone();
    calc.sandbox.git(runner, 'fetch', '--quiet', 'origin', 'refs/notes/guardkit:refs/notes/guardkit');
    const env = calc.pullRequest();
    const { stdout } = await calc.ci(['--trust', calc.sandbox.path('me.pem')], { in: runner, env });
    calc.sandbox.write('calc/ci.log', stdout);
    calc.git('update-ref', '-d', 'refs/notes/guardkit');
    expect(await verifyLedger(calc, ['--log', 'ci.log'])).toMatchObject({ ok: true, anchors: 1 });
    removeEntry(ledgerPath(calc), PROJECT, violation);
    expect(await verifyLedger(calc)).toMatchObject({ ok: true, anchors: 0 });
    expect(await verifyLedger(calc, ['--log', 'ci.log'])).toMatchObject({
      exitCode: 1,
      reason: 'anchor',
      first: violation,
      anchor: { source: { type: 'log', file: 'ci.log' } },
    });
    // A branch cannot put anchors of its own into the log: nobody trusted signed them.
    expect((await calc.ci([], { in: runner, env })).stdout).not.toContain('ledger anchor');
  });
});

further(
  '[LEDGER-2] PostgreSQL shows that the newest entry was removed, and other entries re-linked',
  async () => {
    const calc = project();
    const database = await createDatabase();
    try {
      const violation = violate(calc);
      const ledger = openLedger({ path: ledgerPath(calc) });
      expect(await deliverToMemory(ledger, { url: database.url })).toBeUndefined();
      ledger.close();
      const env = { GUARDKIT_DATABASE_URL: database.url };
      expect(await verifyLedger(calc, [], env)).toMatchObject({ exitCode: 0, ok: true, anchors: 1 });
      removeEntry(ledgerPath(calc), PROJECT, violation);
      violate(calc);
      expect(await verifyLedger(calc)).toMatchObject({ ok: true, anchors: 0 });
      expect(await verifyLedger(calc, [], env)).toMatchObject({
        exitCode: 1,
        reason: 'anchor',
        first: violation,
        anchor: { source: { type: 'postgres' } },
      });
    } finally {
      await database.cleanup();
    }
  },
);

it('a database that is down is reported, and the rest is checked', async () => {
  const calc = project();
  violate(calc);
  const { stdout, stderr, exitCode } = await calc.sandbox.guardkit(['ledger', 'verify', '--json'], {
    in: 'calc',
    env: { GUARDKIT_DATABASE_URL: 'postgres://127.0.0.1:1/x' },
  });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, anchors: 0 });
  expect(stderr).toContain('PostgreSQL');
});

it('[LEDGER-4] names a record that GuardKit did not sign, and one after a removed violation', async () => {
  const calc = project();
  const acceptance = { path: 'package.json', digest: 'a'.repeat(64), reason: 'fine', by: 'ada' };
  violate(calc);
  const forged = forgeEntry(ledgerPath(calc), PROJECT, 'acceptance_recorded', acceptance);
  expect(await verifyLedger(calc)).toMatchObject({
    exitCode: 1,
    reason: 'unsigned',
    kind: 'acceptance_recorded',
    first: forged.number,
  });
  const other = project();
  const violation = violate(other);
  const ledger = openLedger({ path: ledgerPath(other) });
  ledger.append(PROJECT, 'acceptance_recorded', acceptance);
  ledger.close();
  removeEntry(ledgerPath(other), PROJECT, violation);
  expect(await verifyLedger(other)).toMatchObject({ exitCode: 1, reason: 'unsigned', first: violation });
});

it('a log that cannot be read is an error', async () => {
  const calc = project();
  const failure = await calc.sandbox.failure(['ledger', 'verify', '--log', 'none.log'], { in: 'calc' });
  expect(failure).toMatchObject({ code: 'ledger.no-log', exitCode: 2 });
});
