import { describe, expect, it } from 'vitest';
import { describeTier } from '../../../src/enforcement/doctor/describe-tier.ts';
import { type DoctorCheck, failedCheck, REFUSES_ALL } from '../../../src/enforcement/doctor/doctor-check.ts';
import { examineNode, isAtLeast } from '../../../src/enforcement/doctor/examine-machine.ts';
import { tamperedList } from '../../../src/enforcement/doctor/prove-hooks.ts';

describe('the false list of the doctor', () => {
  it('claims one more tested feature, and changes nothing else', () => {
    const list = { version: 1, features: [{ id: 'A', tested: true }, { id: 'B', x: 1 }, { id: 'C' }] };
    const { content, claim } = tamperedList(JSON.stringify(list));
    expect(claim).toContain('B');
    expect(JSON.parse(content)).toEqual({
      version: 1,
      features: [{ id: 'A', tested: true }, { id: 'B', x: 1, tested: true }, { id: 'C' }],
    });
  });

  it.each([
    undefined,
    '',
    'no JSON',
    '[]',
    '{"features": 7}',
    '{"features": []}',
    '{"features": [{"id": "A", "tested": true}]}',
  ])('claims a made-up feature if the list is %s', (text) => {
    const { features } = JSON.parse(tamperedList(text).content);
    expect(features.at(-1)).toMatchObject({ tested: true });
  });
});

describe('versions', () => {
  it.each([
    ['2.1.295', true],
    ['2.1.325', true],
    ['2.2', true],
    ['3.0.0', true],
    ['2.1.294', false],
    ['2.0.999', false],
    ['1.9.999', false],
  ])('%s lets a failed hook refuse: %s', (version, enough) => {
    expect(isAtLeast(version, [2, 1, 295])).toBe(enough);
  });

  it.each(['18.20.0', '20.18.3', '21.7.3', '22.0.0', '22.11.0'])('Node %s is too old', (version) => {
    const hint = expect.stringMatching(/20\.19.*22\.12/);
    expect(examineNode(version)).toMatchObject({
      outcome: 'fail',
      found: expect.stringContaining(version),
      hint,
    });
  });

  it.each(['20.19.0', '20.20.2', '22.12.0', '24.0.0', '26.1.0'])('Node %s passes', (version) => {
    expect(examineNode(version)).toEqual({ id: 'node', outcome: 'pass', found: version });
  });
});

describe('a check that throws', () => {
  it('explains a native module compiled for another Node', () => {
    const error = new Error(
      "The module '/x/better_sqlite3.node'\nwas compiled against a different Node.js version using NODE_MODULE_VERSION 115.",
    );
    expect(failedCheck('ledger', error)).toMatchObject({
      outcome: 'fail',
      found: expect.stringContaining('was compiled against a different Node'),
      hint: expect.stringContaining('npm rebuild'),
    });
  });
});

describe('the tier', () => {
  const check = (id: string, outcome: DoctorCheck['outcome']): DoctorCheck => ({
    id,
    outcome,
    found: '',
    hint: `fix ${id}`,
  });
  const tier = (...checks: DoctorCheck[]) =>
    describeTier({
      checks,
      wrappedAgents: ['claude'],
      shared: false,
      unwiredCheckouts: [],
      programInProject: false,
    });
  const wired = [check('hooks', 'pass'), check('settings', 'pass')];

  it('counts the commands of an agent as sandboxed only if they are', () => {
    const gemini = [check('gemini-hooks', 'pass'), check('gemini-settings', 'pass')];
    const open = (...checks: DoctorCheck[]) => tier(...checks, check('commands', 'pass')).notProtected.length;
    expect(open(...wired, ...gemini)).toBe(open(...wired) + 1);
  });

  it('is prevention with hooks and a sandbox', () => {
    const { tier: holds, improve } = tier(...wired, check('sandbox', 'pass'));
    expect(holds).toBe('prevented');
    expect(improve).toEqual([]);
  });

  it('is detection without a sandbox, with a hint how to get one', () => {
    const { tier: holds, notProtected, improve } = tier(...wired, check('sandbox', 'absent'));
    expect(holds).toBe('detected');
    expect(notProtected.length).toBeGreaterThan(tier(...wired, check('sandbox', 'pass')).notProtected.length);
    expect(improve).toEqual(['fix sandbox']);
  });

  it('is none while the hooks do not work', () => {
    const { tier: holds, improve } = tier(
      check('hooks', 'fail'),
      check('settings', 'pass'),
      check('sandbox', 'pass'),
    );
    expect(holds).toBe('none');
    expect(improve).toEqual(['fix hooks']);
  });

  it('differs between hooks that refuse everything and hooks that are off', () => {
    const refusing = { ...check('hooks', 'fail'), code: REFUSES_ALL };
    const { tier: holds, says, notProtected } = tier(refusing, check('settings', 'pass'));
    expect(holds).toBe('none');
    const off = tier(refusing, check('settings', 'fail'));
    expect(off.says).not.toBe(says);
    expect(off.notProtected.length).toBeGreaterThan(notProtected.length);
  });

  it('lists the gaps of team settings, other checkouts and a program in the project', () => {
    const open = { shared: true, unwiredCheckouts: ['/shop-2'], programInProject: true };
    const { notProtected } = describeTier({ checks: wired, wrappedAgents: ['claude'], ...open });
    expect(notProtected.join()).toContain('/shop-2');
    expect(notProtected).toHaveLength(tier(...wired).notProtected.length + 3);
  });
});
