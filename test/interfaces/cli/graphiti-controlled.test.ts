import { copyFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox, whyNoTerminal } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';

const IN = { in: 'shop' };
const FEATURE = JSON.stringify({ id: 'FEAT-X', name: 'Search', tested: true });
const sandbox = new Sandbox();
let shop: string;
let feature: string;

const noTerminal = whyNoTerminal();
const describeOnTerminal = noTerminal === undefined ? describe : describe.skip;
const because = noTerminal === undefined ? '' : ` (SKIPPED: ${noTerminal})`;

beforeAll(() => {
  shop = sandbox.repository('shop');
  feature = sandbox.write('feature.json', FEATURE);
});
afterAll(() => sandbox.cleanup());

async function expectNothingStored(): Promise<void> {
  expect((await sandbox.json(['list', 'features'], IN)).episodes).toEqual([]);
}

describe.concurrent('a controlled group without a terminal', () => {
  it.each([
    ['add', ['add', 'features', '--id', 'FEAT-X', '--type', 'feature', '--body', '-'], 'features'],
    ['add --dry-run', ['add', 'guards', '--id', 'G', '--type', 'note', '--body', '-', '--dry-run'], 'guards'],
    [
      'add in full name',
      ['add', 'other__evidence', '--id', 'E', '--type', 'note', '--body', '-'],
      'evidence',
    ],
    ['clear', ['clear', '--group', 'evidence', '--confirm'], 'evidence'],
    ['clear of guards', ['clear', '--group', 'guards', '--confirm'], 'guards'],
  ])('is refused to %s [SEC-3]', async (_case, args, group) => {
    const failed = await sandbox.failure(['graphiti', ...args], { ...IN, input: FEATURE });
    expectFailure(failed, `group.controlled ${group}`);
    expect(failed.exitCode).toBe(1);
    await expectNothingStored();
  });

  it('is refused to import [SEC-3]', async () => {
    const record = {
      kind: 'episode',
      uuid: '0d0d4c62-c7d4-4212-994e-45aa19d0f563',
      group: `${shop}__features`,
      entity_id: 'FEAT-X',
      entity_type: 'feature',
      name: 'Search',
      body: JSON.parse(FEATURE),
      source: 'guardkit',
      content_hash: '0'.repeat(64),
      valid_at: '2026-01-01T00:00:00Z',
      invalid_at: null,
      created_at: '2026-01-01T00:00:00Z',
      expired_at: null,
    };
    const input = `{"kind":"guardkit-export","version":1}\n${JSON.stringify(record)}\n`;
    const { stdout, exitCode } = await sandbox.program(['graphiti', 'import', '-', '--json'], {
      ...IN,
      input,
    });
    expectFailure({ exitCode, ...JSON.parse(stdout).error }, `group.controlled ${shop}__features`);
    expect(exitCode).toBe(1);
    await expectNothingStored();
  });

  it('may be read', async () => {
    expect((await sandbox.graphiti(['list', 'guards'], IN)).exitCode).toBe(0);
  });
});

describeOnTerminal(`a controlled group on a terminal${because}`, () => {
  const addFeature = () => `$GUARDKIT graphiti add features --id FEAT-X --type feature --body ${feature}`;

  it('is refused where a variable says that an agent runs here [SEC-3]', async () => {
    const { stdout, exitCode } = await sandbox.terminal(addFeature(), '', {
      ...IN,
      env: { CLAUDECODE: '1' },
    });
    expect(stdout).toContain('CLAUDECODE');
    expect(exitCode).toBe(1);
    await expectNothingStored();
  });

  it('is refused below an agent’s process, whatever the variables say [SEC-3]', async () => {
    const agent = sandbox.path('claude');
    copyFileSync('/bin/sh', agent);
    // The exit keeps the shell from giving its place to the command.
    const { stdout, exitCode } = await sandbox.terminal(`${agent} -c '${addFeature()}; exit $?'`, '', IN);
    expect(stdout).toContain('"claude"');
    expect(exitCode).toBe(1);
    await expectNothingStored();
  });

  it.each([
    ['says no', 'no\n'],
    ['presses Ctrl+D', '\u0004'],
  ])('stays as it is if the person %s [SEC-3]', async (_case, typed) => {
    const { stdout, exitCode } = await sandbox.terminal(`${addFeature()} --json`, typed, IN);
    expect(stdout).toContain(`${shop}__features`);
    expect(stdout).toContain('"answer.no"');
    expect(exitCode).toBe(1);
    await expectNothingStored();
  });

  it('is changed by a person who types yes [SEC-3]', async () => {
    const { stdout, exitCode } = await sandbox.terminal(addFeature(), 'yes\n', IN);
    expect(stdout).toContain(`${shop}__features`);
    expect(exitCode).toBe(0);
    expect(await sandbox.json(['list', 'features'], IN)).toMatchObject({ episodes: [{ source: 'person' }] });
  });
});
