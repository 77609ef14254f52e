import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerMarkPath } from '../../../src/enforcement/install/ledger-mark.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { Sandbox } from '../../support/cli.ts';

const WHY = 'what this was started from came up while claude was acting';
const PROJECT = 'shop-1';

const sandbox = new Sandbox();
const files = ['.claude/settings.local.json', '.guardkit/config.yaml', '.gitattributes'];

beforeAll(async () => {
  sandbox.emptyRepository('shop');
  sandbox.write('shop/.guardkit/config.yaml', `project: ${PROJECT}\n`);
  sandbox.write('shop/package.json', { name: 'shop', scripts: { test: 'node --test' } });
  sandbox.write('shop/.claude/progress/feature-list.json', {
    version: 1,
    project: PROJECT,
    features: [{ id: 'FEAT-1', description: 'Carts', priority: 1, acceptance_criteria: ['It works'] }],
  });
  sandbox.git('shop', 'add', '-A');
  sandbox.commit('shop', 'Begin');
  const { exitCode, stderr } = await sandbox.guardkit(['init', '--agent', 'claude', '--yes'], { in: 'shop' });
  expect(exitCode, stderr).toBe(0);
});
afterAll(() => sandbox.cleanup());

function state(): string[] {
  return files.map((path) => {
    try {
      return readFileSync(sandbox.path('shop', path), 'utf8');
    } catch {
      return 'not there';
    }
  });
}

function attempts(): { guard: string; path: string; what: string }[] {
  const ledger = openLedger({ path: sandbox.path('data', 'ledger.db') });
  try {
    return ledger
      .entries(PROJECT, { kind: 'violation_recorded' })
      .map(({ body }) => body as { guard: string; path: string; what: string });
  } finally {
    ledger.close();
  }
}

function record(kind: string, body: Record<string, unknown>): void {
  const ledger = openLedger({ path: sandbox.path('data', 'ledger.db') });
  ledger.append(PROJECT, kind, body);
  ledger.close();
}

function inOneHour(): string {
  return new Date(Date.now() + 3_600_000).toISOString();
}

/** A version in which there was no file. */
const KEPT = {
  path: 'notes.md',
  absolute: sandbox.path('shop', 'notes.md'),
  checkout: sandbox.path('shop'),
  session: 's',
  agent: 'claude',
  agent_type: null,
  action: null,
  reason: 'no-sandbox',
  what: 'removed',
  found_hash: null,
  found_mode: null,
  quarantined: null,
  restored_hash: null,
  restored_mode: null,
  during: 'Bash',
};

const COMMANDS: [command: string, setUp?: () => void][] = [
  ['guard allow destructive-commands --once --reason tests'],
  ['accept', () => sandbox.write('shop/tasks/TASK-1.md', '# Easy\n')],
  ['evidence FEAT-1 --vouch ui --reason fine'],
  ['feature edit FEAT-1 --remove'],
  ['knowledge merge --install'],
  ['uninstall'],
  ['doctor --fix'],
  ['verify FEAT-1 --yes'],
  ['pause --for 1h'],
  ['resume', () => record('protection_paused', { until: inOneHour(), reason: '', by: 'Ada' })],
  ['restore notes.md --yes', () => record('file_restored', KEPT)],
  ['init --agent claude --yes', () => writeFileSync(ledgerMarkPath(sandbox.home), 'another\n')],
];

describe('[GUARD-5] an agent that shows nowhere, on a terminal of its own', () => {
  it.each(COMMANDS)('is refused `guardkit %s`, and that it tried is on record', async (command, setUp) => {
    setUp?.();
    const before = state();
    const recorded = attempts().length;
    const { exitCode, stderr } = await sandbox.guardkit(command.split(' '), {
      in: 'shop',
      input: 'y\ny\ny\n',
      person: true,
      hiddenAgent: WHY,
    });
    expect(stderr).toContain(WHY);
    expect(exitCode).toBe(1);
    expect(state()).toEqual(before);
    const [attempt, ...others] = attempts().slice(recorded);
    expect(attempt).toMatchObject({ guard: 'person-only', what: expect.stringContaining(WHY) });
    expect(`guardkit ${command}`).toContain(attempt?.path);
    expect(others).toEqual([]);
  });

  it.each([['doctor --fix'], ['init --agent claude --yes']])(
    'is refused `guardkit %s` also without a terminal',
    async (command) => {
      const { exitCode, stderr } = await sandbox.guardkit(command.split(' '), {
        in: 'shop',
        hiddenAgent: WHY,
      });
      expect(stderr).toContain(WHY);
      expect(exitCode).toBe(1);
    },
  );
});

it('what a program does for nobody, as in CI, is no attempt', async () => {
  const recorded = attempts().length;
  const { exitCode } = await sandbox.guardkit(['uninstall'], { in: 'shop' });
  expect(exitCode).toBe(1);
  expect(attempts()).toHaveLength(recorded);
});

it('no command looks for a person or an agent by itself', () => {
  const commands = fileURLToPath(new URL('../../../src/interfaces', import.meta.url));
  const own = readdirSync(commands, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) =>
      /^import \{.*from '.*platform\/processes\/person\.ts';$/m.test(
        readFileSync(join(commands, name), 'utf8'),
      ),
    );
  expect(own).toEqual(['cli/program/run-cli.ts']);
});
