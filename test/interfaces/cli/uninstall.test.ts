import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';
import { further } from '../../support/thorough.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.cleanup());

const LOCAL = '.claude/settings.local.json';
const OWN = '{"permissions": {"allow": ["Bash(ls)"]}, "x": 1.0}';

async function wired(name: string, ...args: string[]): Promise<void> {
  sandbox.repository(name);
  sandbox.write(`${name}/${LOCAL}`, OWN);
  await sandbox.guardkit(['init', '--agent', 'claude', ...args], { in: name });
}

const uninstall = (name: string, input = 'y\n') =>
  sandbox.guardkit(['uninstall'], { in: name, person: true, input });
const launcher = () => sandbox.path('data', 'bin', 'guardkit-hook');

describe('uninstall', () => {
  it('names the agent that has no hooks, if another one has', async () => {
    await wired('shop');
    const { stdout } = await sandbox.guardkit(['uninstall', '--agent', 'codex'], {
      in: 'shop',
      person: true,
    });
    expect(stdout).toContain('Codex');
  });

  it('[GUARD-7] leaves the settings as they were before init, to the byte', async () => {
    await wired('shop', '--session');
    const { exitCode, stdout } = await uninstall('shop');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(LOCAL);
    expect(stdout).not.toContain('.claude/settings.json');
    expect(readFileSync(sandbox.path('shop', LOCAL), 'utf8')).toBe(OWN);
    for (const name of ['agents', 'commands', 'skills'])
      expect(existsSync(sandbox.path('shop', '.claude', name))).toBe(false);
    expect(existsSync(launcher())).toBe(false);
  });

  it('removes a file that held nothing else, and keeps what a person changed', async () => {
    sandbox.repository('shop');
    await sandbox.guardkit(['init', '--shared', '--session'], { in: 'shop' });
    sandbox.write('shop/.claude/agents/tester-agent.md', 'mine now');
    await uninstall('shop');
    expect(existsSync(sandbox.path('shop', '.claude/settings.json'))).toBe(false);
    expect(readFileSync(sandbox.path('shop', '.claude/agents/tester-agent.md'), 'utf8')).toBe('mine now');
  });

  further('keeps the launcher for as long as another project is wired', async () => {
    await wired('shop');
    await wired('bank');
    const { stdout } = await uninstall('shop');
    expect(stdout).toContain(sandbox.path('bank'));
    expect(existsSync(launcher())).toBe(true);
    await uninstall('bank');
    expect(existsSync(launcher())).toBe(false);
  });

  it('is a person’s alone, who may say no', async () => {
    await wired('shop');
    const alone = await sandbox.failure(['uninstall'], { in: 'shop' });
    expect(alone).toMatchObject({ exitCode: 1, code: 'person.needed' });
    const declined = await uninstall('shop', 'n\n');
    expect(declined.exitCode).toBe(1);
    expect(readFileSync(sandbox.path('shop', LOCAL), 'utf8')).toContain('guardkit-hook');
  });

  it('says with --dry-run what it would change', async () => {
    await wired('shop');
    const { exitCode, stdout } = await sandbox.guardkit(['uninstall', '--dry-run'], { in: 'shop' });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(LOCAL);
    expect(readFileSync(sandbox.path('shop', LOCAL), 'utf8')).toContain('guardkit-hook');
  });

  it('has nothing to do where nothing is wired', async () => {
    sandbox.repository('shop');
    const { exitCode, stdout } = await sandbox.guardkit(['uninstall', '--json'], {
      in: 'shop',
      person: true,
      input: 'y\n',
    });
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { files: [] }]);
  });

  it('names the features, the work of builds and the merge driver, and leaves them to the person', async () => {
    await wired('shop');
    sandbox.write('shop/.claude/progress/feature-list.json', '{"features": []}\n');
    sandbox.git('shop', 'commit', '--quiet', '--allow-empty', '--message', 'Start');
    sandbox.git('shop', 'update-ref', 'refs/guardkit/FEAT-1/TASK-001/T1', 'HEAD');
    await sandbox.guardkit(['knowledge', 'merge', '--install'], { in: 'shop', person: true });
    const { stdout } = await sandbox.guardkit(['uninstall', '--purge', '--json'], {
      in: 'shop',
      person: true,
      input: 'y\n',
    });
    expect(JSON.parse(stdout).left).toEqual([
      expect.stringContaining('.claude/progress/feature-list.json'),
      expect.stringContaining('refs/guardkit'),
      expect.stringContaining('merge.guardkit-knowledge'),
      expect.stringContaining(sandbox.path('data')),
    ]);
    expect(existsSync(sandbox.path('shop/.claude/progress/feature-list.json'))).toBe(true);
    expect(sandbox.git('shop', 'for-each-ref', 'refs/guardkit')).not.toBe('');
  });

  it('says what it leaves, and --purge removes it', async () => {
    await wired('shop');
    sandbox.write(
      'shop/.gitignore',
      `node_modules/\n${readFileSync(sandbox.path('shop/.gitignore'), 'utf8')}dist/\n`,
    );
    const json = async (...args: string[]) => {
      const options = { in: 'shop', person: true, input: 'y\n' };
      return JSON.parse((await sandbox.guardkit(['uninstall', '--json', ...args], options)).stdout);
    };
    const { left } = await json();
    expect(left).toEqual([
      expect.stringContaining('.guardkit/'),
      expect.stringContaining('.gitignore'),
      expect.stringContaining(sandbox.path('data')),
    ]);
    expect(existsSync(sandbox.path('shop/.guardkit/config.yaml'))).toBe(true);
    expect((await json('--purge')).left).toHaveLength(1);
    expect(existsSync(sandbox.path('shop/.guardkit'))).toBe(false);
    expect(readFileSync(sandbox.path('shop/.gitignore'), 'utf8')).toBe('node_modules/\ndist/\n');
  });
});
