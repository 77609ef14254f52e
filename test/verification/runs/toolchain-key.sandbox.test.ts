import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeToolchainRecord } from '../../../src/verification/environment/toolchain-record.ts';
import type { RunContext } from '../../../src/verification/runs/run-context.ts';
import { toolchainKey } from '../../../src/verification/runs/run-tests.ts';

const folder = mkdtempSync(join(tmpdir(), 'guardkit-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

function key(over: Partial<RunContext> = {}, build?: string): string {
  const context: Partial<RunContext> = {
    env: { PATH: process.env.PATH, LANG: 'C' },
    home: folder,
    project: 'p',
    variables: {},
    sandbox: { available: false, why: 'none', hint: '' },
    network: 'loopback',
    ...over,
  };
  // Only the inputs of the key.
  return toolchainKey(context as RunContext, build);
}

describe('known results of a base', () => {
  it('are reused with the same toolchain', () => {
    expect(key()).toBe(key());
  });

  it('are not reused with another locale, network or variable', () => {
    const others = [
      key({ env: { PATH: process.env.PATH, LANG: 'de_DE.UTF-8' } }),
      key({ network: 'host' }),
      key({ variables: { env: { MODE: 'fast' } } }),
    ];
    expect(new Set([key(), ...others]).size).toBe(4);
  });

  it('are not reused by another build of GuardKit, which may name them differently', () => {
    expect(key({}, 'another build')).not.toBe(key());
  });

  it('belong to a build whose digest changes with the taps', async () => {
    const script = new URL('../../../scripts/build-state.js', import.meta.url).href;
    const { sourceDigest }: { sourceDigest(root: string): string } = await import(script);
    const tap = join(folder, 'src/verification/runners/tap/tap.cjs');
    mkdirSync(dirname(tap), { recursive: true });
    const digests = ['1;', '2;', '1;'].map((text) => {
      writeFileSync(tap, text);
      return sourceDigest(folder);
    });
    expect(digests[1]).not.toBe(digests[0]);
    expect(digests[2]).toBe(digests[0]);
  });

  it('are not reused if a passed variable has another value', () => {
    const variables = { pass_env: ['MODE'] };
    const keys = [{}, { MODE: 'a' }, { MODE: 'b' }].map((env) => key({ env, variables }));
    expect(new Set(keys).size).toBe(3);
    expect(key({ env: { MODE: 'a' } })).toBe(key({ env: { MODE: 'b' } }));
  });

  it('are not reused with other recorded toolchains', () => {
    const record = { folders: [], readable: [], env: {}, programs: {}, recorded_at: '2026-01-01' };
    const records = [
      record,
      { ...record, folders: [folder] },
      { ...record, readable: [folder] },
      { ...record, env: { GOROOT: folder } },
    ];
    const keys = records.map((one, index) => {
      writeToolchainRecord(folder, `recorded-${index}`, one);
      return key({ project: `recorded-${index}` });
    });
    expect(new Set(keys).size).toBe(records.length);
  });
});
