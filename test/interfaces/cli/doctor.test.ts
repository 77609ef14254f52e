import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { featureSchema } from '../../../src/domain/entities/feature.ts';
import { ledgerMarkPath } from '../../../src/enforcement/install/ledger-mark.ts';
import { openSqlite } from '../../../src/platform/open-sqlite.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { type RunOptions, Sandbox } from '../../support/cli.ts';
import { forgeEntry } from '../../support/forge-entry.ts';
import { LIST_PATH, listText } from '../../support/hooked-project.ts';
import { further, THOROUGH } from '../../support/thorough.ts';

let sandbox: Sandbox;
let id: string;
beforeEach(async () => {
  sandbox = new Sandbox();
  id = sandbox.repository('shop');
  sandbox.write(`shop/${LIST_PATH}`, listText([{ id: 'FEAT-1' }, { id: 'FEAT-2' }]));
});
afterEach(() => sandbox.cleanup());

const LOCAL = '.claude/settings.local.json';
const launcher = () => sandbox.path('data', 'bin', 'guardkit-hook');
const wire = (...args: string[]) => sandbox.guardkit(['init', '--agent', 'claude', ...args], { in: 'shop' });
const doctor = (args: readonly string[] = [], options: RunOptions = {}) =>
  sandbox.guardkit(['doctor', ...args], { in: 'shop', ...options });

interface DoctorJson {
  ok: boolean;
  tier: string;
  checks: { id: string; outcome: string; code?: string; found: string; lines?: string[]; hint?: string }[];
  repaired: { done: string[]; failed: string[] } | null;
}

async function json(
  ...args: string[]
): Promise<DoctorJson & { check(name: string): DoctorJson['checks'][0] }> {
  const { stdout } = await doctor(['--json', ...args]);
  const parsed = JSON.parse(stdout) as DoctorJson;
  return {
    ...parsed,
    check: (name) => parsed.checks.find((one) => one.id === name) ?? { id: name, outcome: '', found: '' },
  };
}

function entries(kind: string) {
  const ledger = openLedger({ path: join(sandbox.home, 'ledger.db') });
  try {
    return ledger.entries(id, { kind }).map(({ body }) => body);
  } finally {
    ledger.close();
  }
}

describe('doctor', () => {
  further('notices that the installation was moved, and --fix has the launcher run this one', async () => {
    await wire();
    const text = readFileSync(launcher(), 'utf8');
    writeFileSync(launcher(), text.replaceAll(/'[^'\n]*\/dist\//g, "'/opt/old/guardkit/dist/"));
    const { ok, check } = await json();
    expect(ok).toBe(false);
    expect(check('launcher')).toMatchObject({
      outcome: 'fail',
      found: expect.stringContaining('/opt/old/guardkit/dist/'),
      hint: expect.stringContaining('--fix'),
    });
    await doctor(['--fix'], { person: true, input: 'y\n' });
    expect(readFileSync(launcher(), 'utf8')).toBe(text);
  });

  further('finds faults in the configuration', async () => {
    await wire();
    sandbox.write('shop/.guardkit/guards/no-vendor.yaml', 'id: no-vendor\ndecison: deny\n');
    const { ok, check } = await json();
    expect(ok).toBe(false);
    expect(check('config')).toMatchObject({
      outcome: 'fail',
      hint: expect.stringContaining('guardkit config check'),
    });
    expect(check('config').lines?.join('\n')).toContain('no-vendor.yaml');
  });

  it('names working trees that nobody wired, and not those that are GuardKit’s own', async () => {
    sandbox.git('shop', 'worktree', 'add', '--detach', sandbox.path('beside'));
    sandbox.git('shop', 'worktree', 'add', '--detach', sandbox.path('data', 'worktrees', id, 'verify-1'));
    const { stdout } = await doctor();
    expect(stdout).toContain(sandbox.path('beside'));
    expect(stdout).not.toContain('verify-1');
  });

  further('tells what several guards said of its attempt below each other', async () => {
    await wire();
    sandbox.write(
      'shop/tasks/TASK-1.md',
      '---\nid: TASK-1\ntitle: Sell\n---\n## Acceptance Criteria\n- AC-001: sells\n',
    );
    sandbox.git('shop', 'add', '-A');
    sandbox.commit('shop', 'A task');
    await sandbox.guardkit(['feature', 'list'], { in: 'shop' });
    rmSync(sandbox.path('shop', LIST_PATH));
    const { stdout } = await doctor();
    const [, indent = ''] = /^( *)\S+ {2}deny/m.exec(stdout) ?? [];
    expect(stdout).toMatch(new RegExp(`^${indent} {10}\\S.*\\[field-rights\\]$`, 'm'));
  });

  it('[GUARD-6] shows a cheating attempt being refused through the installed hooks', async () => {
    await wire();
    const list = readFileSync(sandbox.path('shop', LIST_PATH), 'utf8');
    const { exitCode, stdout } = await doctor();
    expect(stdout).toContain(`Write ${LIST_PATH}: FEAT-1 "tested": true`);
    expect(stdout).toMatch(/ deny: .*guardkit verify.*\[block-tested-true\]/);
    expect(stdout).toMatch(/Read README\.md\n(?!.*deny)/);
    expect(exitCode).toBe(0);
    expect(readFileSync(sandbox.path('shop', LIST_PATH), 'utf8')).toBe(list);
    expect(entries('action_judged')).toMatchObject([{ decision: 'deny', tool: 'Write' }]);
    const after = await json();
    expect(after.check('actions')).toMatchObject({ outcome: 'pass' });
    expect(after.check('ledger').outcome).toBe('pass');
    expect(after.check('launcher').outcome).toBe('pass');
    expect(after.check('config').outcome).toBe('pass');
  });

  further('names the guard that a person has turned off, rather than what is not broken', async () => {
    await wire();
    sandbox.write('shop/.guardkit/config.yaml', `project: ${id}\nguards:\n  block-tested-true: off\n`);
    sandbox.git('shop', 'add', '.guardkit/config.yaml');
    sandbox.commit('shop', 'Turn a guard off');
    const { check } = await json();
    expect(check('hooks')).toMatchObject({
      outcome: 'fail',
      hint: expect.stringMatching(/block-tested-true.*enforce.*\.guardkit\/config\.yaml.*off/),
    });
  });

  further('does so through a team’s settings, without a list, from a subfolder', async () => {
    rmSync(sandbox.path('shop', LIST_PATH));
    await wire('--shared');
    sandbox.write('shop/src/a.js', '');
    const { exitCode, stdout } = await doctor([], { in: 'shop/src' });
    expect(stdout).toMatch(/ {2}deny\b/);
    expect(exitCode).toBe(0);
    expect(existsSync(sandbox.path('shop', LIST_PATH))).toBe(false);
  });

  further('does so through the plugin, where that is how it is wired', async () => {
    await wire();
    rmSync(sandbox.path('shop', LOCAL));
    const plugin = fileURLToPath(new URL('../../../plugin', import.meta.url));
    sandbox.write('home/.claude/plugins/installed_plugins.json', {
      version: 2,
      plugins: { 'guardkit@guardkit': [{ scope: 'project', installPath: plugin }] },
    });
    sandbox.write('shop/.claude/settings.json', { enabledPlugins: { 'guardkit@guardkit': true } });
    const { ok, check } = await json();
    expect(check('hooks').lines?.join()).toContain('deny');
    expect(ok).toBe(true);
    await wire();
    expect((await json()).check('settings')).toMatchObject({
      outcome: 'pass',
      code: 'wired-twice',
    });
    sandbox.write(`shop/${LOCAL}`, { enabledPlugins: { 'guardkit@guardkit': false } });
    expect((await json()).check('settings').code).toBe('not-wired');
  });

  it('says what to do where nothing is made ready, where nothing is wired, and outside of a repository', async () => {
    const bare = await doctor();
    expect(bare.exitCode).toBe(1);
    expect(bare.stdout).toContain('`guardkit init`');
    await sandbox.guardkit(['init', '--yes', '--no-agent'], { in: 'shop' });
    const unwired = await doctor();
    expect(unwired.exitCode).toBe(1);
    expect(unwired.stdout).toContain('guardkit init --agent claude');
    expect((await sandbox.guardkit(['doctor'])).exitCode).toBe(1);
  });

  further('is not content with files that are there: hooks that are turned off do not hold', async () => {
    await wire();
    sandbox.write('home/.claude/settings.json', { disableAllHooks: true });
    const { ok, tier, check } = await json();
    expect({ ok, tier }).toEqual({ ok: false, tier: 'none' });
    expect(check('settings').found).toContain('disableAllHooks');
  });

  further('finds a launcher that lets everything pass, and --fix writes it anew', async () => {
    await wire();
    writeFileSync(launcher(), '#!/bin/sh\nexit 0\n');
    const broken = await json();
    expect(broken.ok).toBe(false);
    expect(broken.check('hooks').code).toBe('not-refused');
    const fixed = await json('--fix');
    expect(fixed.repaired?.done).toEqual([expect.stringContaining(launcher())]);
    expect(fixed.ok).toBe(true);
  });

  further(
    'finds hooks that refuse everything after Node has moved, and --fix leads them to this one',
    async () => {
      await wire();
      const text = readFileSync(launcher(), 'utf8');
      for (const path of [launcher(), `${launcher()}-cold`].filter((one) => existsSync(one)))
        writeFileSync(path, readFileSync(path, 'utf8').replaceAll(process.execPath, '/gone/bin/node'));
      const broken = await json();
      expect(broken.check('hooks')).toMatchObject({
        outcome: 'fail',
        code: 'refuses-all',
      });
      expect(broken.check('hooks').lines?.join()).toContain('/gone/bin/node');
      if (THOROUGH) expect((await json('--fix', '--dry-run')).repaired?.done).toHaveLength(1);
      expect(readFileSync(launcher(), 'utf8')).toContain('/gone/bin/node');
      expect((await json('--fix')).ok).toBe(true);
      expect(readFileSync(launcher(), 'utf8')).toBe(text);
    },
  );

  further('runs nothing that is not its own launcher', async () => {
    await wire();
    const evil = sandbox.path('evil', 'bin', 'guardkit-hook');
    sandbox.write('evil/bin/guardkit-hook', `#!/bin/sh\ntouch ${sandbox.path('ran')}\n`);
    chmodSync(evil, 0o755);
    const settings = readFileSync(sandbox.path('shop', LOCAL), 'utf8');
    sandbox.write(`shop/${LOCAL}`, settings.replaceAll(launcher(), evil));
    const { ok, check } = await json();
    expect(ok).toBe(false);
    expect(check('settings').found).toContain(evil);
    expect(existsSync(sandbox.path('ran'))).toBe(false);
    expect((await json('--fix')).ok).toBe(true);
  });

  further('finds what was written into the ledger, and makes the table of features anew', async () => {
    await wire();
    const database = openSqlite(join(sandbox.home, 'ledger.db'));
    database.exec(`UPDATE features SET body = json_set(body, '$.tested', json('true')) WHERE id = 'FEAT-2'`);
    database.close();
    const differing = await json();
    expect(differing.check('features')).toMatchObject({
      outcome: 'fail',
      found: expect.stringContaining('FEAT-2'),
    });
    expect((await json('--fix')).check('features').outcome).toBe('pass');
    const { number } = forgeEntry(join(sandbox.home, 'ledger.db'), id, 'features_recorded', {
      by: 'verification',
      actor: 'guardkit',
      features: [featureSchema.parse({ id: 'FEAT-2', tested: true })],
      removed: [],
    });
    const forged = await json();
    expect(forged.ok).toBe(false);
    expect(forged.check('records')).toMatchObject({
      outcome: 'fail',
      found: expect.stringContaining(`${number} (features_recorded)`),
    });
    const tampered = openSqlite(join(sandbox.home, 'ledger.db'));
    tampered.exec(`DROP TRIGGER entries_are_fixed; UPDATE entries SET body = '{}' WHERE number = 1`);
    tampered.close();
    const broken = await json();
    expect(broken.ok).toBe(false);
    expect(broken.check('ledger')).toMatchObject({
      outcome: 'fail',
      found: expect.stringMatching(/\b1\b/),
    });
  });

  further('finds a ledger that is gone, and --fix makes a new one that hooks judge by', async () => {
    await wire();
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(join(sandbox.home, `ledger.db${suffix}`), { force: true });
    const gone = await json();
    expect(gone.check('hooks').code).toBe('refuses-all');
    expect(gone.check('ledger')).toMatchObject({ outcome: 'fail', hint: expect.stringContaining('--fix') });
    const tried = await json('--fix', '--dry-run');
    expect(tried.repaired?.done).toHaveLength(1);
    expect(existsSync(join(sandbox.home, 'ledger.db'))).toBe(false);
    const fixed = await json('--fix');
    expect(fixed.repaired).toMatchObject({ done: tried.repaired?.done, failed: [] });
    expect(fixed.check('hooks').outcome).toBe('pass');
    if (THOROUGH) expect((await json('--fix')).repaired?.done).toEqual([]);
  });

  further('finds a ledger that is another one than before, and --fix has hooks judge by it', async () => {
    await wire();
    writeFileSync(ledgerMarkPath(sandbox.home), 'another\n');
    expect((await json()).check('hooks').code).toBe('refuses-all');
    expect((await json('--fix', '--dry-run')).repaired?.done).toHaveLength(1);
    expect((await json()).check('hooks').outcome).toBe('fail');
    expect((await json('--fix')).check('hooks').outcome).toBe('pass');
  });

  further('leaves alone what it cannot mend, says so, and mends the rest', async () => {
    await wire();
    for (const suffix of ['-wal', '-shm']) rmSync(join(sandbox.home, `ledger.db${suffix}`), { force: true });
    writeFileSync(join(sandbox.home, 'ledger.db'), 'no ledger '.repeat(100));
    writeFileSync(launcher(), '#!/bin/sh\nexit 0\n');
    const { repaired, ok } = await json('--fix');
    expect(ok).toBe(false);
    expect(repaired?.done).toEqual([expect.stringContaining(launcher())]);
    // The ledger, and the table of features in it.
    expect(repaired?.failed).toHaveLength(2);
    expect(readFileSync(join(sandbox.home, 'ledger.db'), 'utf8')).toContain('no ledger');
  });

  further('does not say that nothing was to be mended where nothing could be', async () => {
    await wire();
    for (const suffix of ['-wal', '-shm']) rmSync(join(sandbox.home, `ledger.db${suffix}`), { force: true });
    writeFileSync(join(sandbox.home, 'ledger.db'), 'no ledger '.repeat(100));
    const [broken, failed = ''] = (await doctor(['--fix'])).stdout.split('\n');
    expect(failed).toContain('ledger.db');
    const other = new Sandbox();
    other.repository('shop');
    const [sound] = (await other.guardkit(['doctor', '--fix'], { in: 'shop' })).stdout.split('\n');
    other.cleanup();
    expect(broken).not.toBe(sound);
  });

  it('mends nothing for an agent', async () => {
    await wire();
    const failed = await sandbox.failure(['doctor', '--fix'], { in: 'shop', env: { CLAUDECODE: '1' } });
    expect(failed).toMatchObject({ exitCode: 1, code: 'person.needed' });
  });

  further('says that a sandbox is missing, which is no failure', async () => {
    await wire();
    sandbox.noSandbox = 'bubblewrap is not installed here';
    const { ok, tier, check } = await json();
    expect({ ok, tier }).toEqual({ ok: true, tier: 'detected' });
    expect(check('sandbox')).toMatchObject({ outcome: 'absent', hint: 'Install bubblewrap.' });
  });

  it('still answers where the ledger cannot be opened', async () => {
    await wire();
    for (const suffix of ['-wal', '-shm']) rmSync(join(sandbox.home, `ledger.db${suffix}`), { force: true });
    writeFileSync(join(sandbox.home, 'ledger.db'), 'no ledger '.repeat(100));
    const { ok, check } = await json();
    expect(ok).toBe(false);
    expect(check('ledger').outcome).toBe('fail');
    expect(check('hooks').code).toBe('refuses-all');
    expect(check('node').outcome).toBe('pass');
  });
});
