import { generateKeyPairSync } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findSandbox } from '../../../../src/platform/sandbox/find-sandbox.ts';
import { sealEnvelope } from '../../../../src/platform/signing/dsse.ts';
import { keysFolder, makeMachineKey, publicPem } from '../../../../src/platform/signing/machine-key.ts';
import { CI_FILES, CiProject, gateOf } from '../../../support/ci-project.ts';
import { further } from '../../../support/thorough.ts';
import { HONEST_CHANGE } from '../../../support/verified-project.ts';

const opened: CiProject[] = [];
afterEach(() => {
  for (const project of opened.splice(0)) project.cleanup();
});

/** A verified and committed task on a machine with a key. */
async function verified(files: Readonly<Record<string, string>> = CI_FILES): Promise<CiProject> {
  const calc = new CiProject(files);
  opened.push(calc);
  makeMachineKey(calc.sandbox.home);
  calc.write(HONEST_CHANGE);
  calc.commit('Subtract\n\nGuardkit-Task: TASK-001');
  await calc.sandbox.guardkit(['verify', 'TASK-001'], { in: 'calc' });
  calc.sandbox.write('keys.pem', publicPem(makeMachineKey(calc.sandbox.home)));
  return calc;
}

async function attest(calc: CiProject, ...args: string[]) {
  const { stdout } = await calc.sandbox.guardkit(['attest', 'TASK-001', ...args, '--json'], { in: 'calc' });
  return JSON.parse(stdout);
}

async function check(calc: CiProject, target: string, ...args: string[]) {
  const trust = calc.sandbox.path('keys.pem');
  const { stdout, exitCode } = await calc.sandbox.guardkit(
    ['attest', '--check', target, '--trust', trust, ...args, '--json'],
    { in: 'calc' },
  );
  return { ...JSON.parse(stdout), exitCode };
}

const sandbox = await findSandbox();
const noBubblewrap = sandbox.available ? undefined : sandbox.why;

describe.skipIf(noBubblewrap !== undefined)(`guardkit attest ${noBubblewrap ?? ''}`, () => {
  it('[ATTEST-1] exports a signed statement about commit, tree, gates and evidence, which --check accepts', async () => {
    const calc = await verified();
    const { envelope, statement, signed } = await attest(calc);
    expect(signed).toBe(true);
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { digest: { gitCommit: calc.git('rev-parse', 'HEAD') } },
        { digest: { gitTree: calc.git('rev-parse', 'HEAD^{tree}') } },
      ],
      predicate: { feature: 'TASK-001', outcome: 'pass', approved: false, sandbox: expect.any(String) },
    });
    expect(statement.predicate.evidence.length).toBeGreaterThan(0);
    expect(statement.predicate.ledger.number).toBeGreaterThan(0);
    const file = calc.sandbox.write('attestation.json', envelope);
    expect(await check(calc, file)).toMatchObject({ exitCode: 0, ok: true });
  });

  it('[ATTEST-2] refuses attestations that are forged, foreign, replayed, expired or unsigned', async () => {
    const calc = await verified();
    const { envelope, statement } = await attest(calc);
    const refused = async (value: unknown, ...args: string[]) => {
      const result = await check(calc, calc.sandbox.write('attestation.json', value), ...args);
      expect(result.exitCode).toBe(1);
      return result.code;
    };
    const stranger = generateKeyPairSync('ed25519').privateKey;
    const own = makeMachineKey(calc.sandbox.home);
    const sealed = (key: typeof own | undefined, predicate: object = {}) =>
      sealEnvelope(
        envelope.payloadType,
        JSON.stringify({ ...statement, predicate: { ...statement.predicate, ...predicate } }),
        key,
      );
    expect(await refused(sealed(stranger))).toBe('untrusted-key');
    expect(await refused(sealed(undefined))).toBe('unsigned');
    expect(await refused({ ...sealed(own, { by: 'x' }), signatures: envelope.signatures })).toBe(
      'untrusted-key',
    );
    expect(await refused(sealed(own, { expires: '2020-01-01T00:00:00.000Z' }))).toBe('expired');
    expect(await refused(sealed(own, { outcome: 'fail' }))).toBe('unreadable');
    expect(await refused('not json')).toBe('unreadable');
    calc.write({ 'src/sub.js': 'export const sub = () => 0;\n' });
    calc.commit('After');
    expect(await refused(envelope)).toBe('other-commit');
    const failure = await calc.sandbox.failure(['attest', 'TASK-001'], { in: 'calc' });
    expect(failure).toMatchObject({ code: 'attest.not-verified', exitCode: 1 });
  });

  further('stays unsigned, and says why, where tests or agents could have read the key', async () => {
    const calc = new CiProject();
    opened.push(calc);
    makeMachineKey(calc.sandbox.home);
    calc.sandbox.noSandbox = 'none here';
    calc.write(HONEST_CHANGE);
    calc.commit('Subtract');
    await calc.sandbox.guardkit(['verify', 'TASK-001'], { in: 'calc' });
    const { envelope, signed, why_unsigned } = await attest(calc);
    expect(signed).toBe(false);
    expect(envelope.signatures).toEqual([]);
    expect(why_unsigned).toContain('sandbox');
  });

  further(
    '[ATTEST-2] in git’s notes satisfies `ci --require-attestation`, and nothing else does',
    async () => {
      const calc = await verified();
      const env = calc.pullRequest();
      const trust = ['--require-attestation', '--trust', calc.sandbox.path('keys.pem')];
      const runner = calc.clone();
      const missing = await calc.json(trust, { in: runner, env });
      expect(missing).toMatchObject({ exitCode: 1, claims: [{ tested: false, outcome: 'pass' }] });
      expect(gateOf(missing.gates, 'attestation').result).toBe('fail');
      await attest(calc, '--note');
      expect(await check(calc, 'HEAD')).toMatchObject({ exitCode: 0, ok: true });
      calc.sandbox.git(runner, 'fetch', '--quiet', 'origin', 'refs/notes/guardkit:refs/notes/guardkit');
      expect(await calc.json(trust, { in: runner, env })).toMatchObject({
        exitCode: 0,
        claims: [{ tested: true }],
      });
      // The branch cannot name the keys that count: only its base and the job do.
      const failure = await calc.sandbox.failure(['ci', '--require-attestation'], { in: runner, env });
      expect(failure).toMatchObject({ code: 'ci.no-trusted-keys', exitCode: 2 });
    },
  );
});

it('init makes a key that only its owner can read, and keeps it', async () => {
  const calc = new CiProject();
  opened.push(calc);
  const init = () => calc.sandbox.guardkit(['init', '--no-agent'], { in: 'calc' });
  await init();
  const file = join(keysFolder(calc.sandbox.home), 'machine.pem');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(keysFolder(calc.sandbox.home)).mode & 0o777).toBe(0o700);
  const before = publicPem(makeMachineKey(calc.sandbox.home));
  await init();
  expect(publicPem(makeMachineKey(calc.sandbox.home))).toBe(before);
  expect(existsSync(calc.sandbox.path('calc', '.guardkit', 'keys'))).toBe(false);
});
