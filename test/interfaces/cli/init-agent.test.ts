import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLAUDE_EVENTS, hookedEvents } from '../../../src/enforcement/install/claude-settings.ts';
import { hasOwnPrefix } from '../../../src/enforcement/install/wire-shell.ts';
import { findSandbox } from '../../../src/platform/sandbox/find-sandbox.ts';
import { type RunOptions, Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';
import { listText } from '../../support/hooked-project.ts';
import { further, rows } from '../../support/thorough.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

const LOCAL = '.claude/settings.local.json';
const SHARED = '.claude/settings.json';

const init = (args: readonly string[], options: RunOptions = {}) =>
  sandbox.guardkit(['init', ...args], { in: 'shop', ...options });
/** What a further init does to files, each kind once. */
async function actions(args: readonly string[]): Promise<string[]> {
  const { files, agent, session, mcp } = JSON.parse((await init([...args, '--json'])).stdout);
  const all: { action: string }[] = [...files, ...(agent?.files ?? []), ...session, ...mcp];
  return [...new Set(all.map(({ action }) => action))];
}
const path = (name: string) => sandbox.path('shop', name);
const read = (name: string) => readFileSync(path(name), 'utf8');
const events = (name: string) => (existsSync(path(name)) ? hookedEvents(JSON.parse(read(name))) : []);

describe('init with an agent', () => {
  it('wires every event through a launcher in the data folder, and ignores the file', async () => {
    const { exitCode, stdout } = await init(['--agent', 'claude']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('guardkit doctor');
    expect(events(LOCAL).sort()).toEqual([...CLAUDE_EVENTS].sort());
    const [group] = JSON.parse(read(LOCAL)).hooks.PreToolUse;
    expect(group.hooks[0]).toMatchObject({
      command: `${sandbox.home}/bin/guardkit-hook`,
      args: ['claude'],
      onFailure: 'block',
    });
    expect(statSync(sandbox.path('data', 'bin', 'guardkit-hook')).mode & 0o777).toBe(0o700);
    expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining([LOCAL, '.claude/progress/']));
    expect(sandbox.git('shop', 'check-ignore', LOCAL)).toBe(LOCAL);
  });

  it('[GUARD-7] keeps what a person has in the settings, to the byte', async () => {
    const own = '{\n   "permissions": {"allow": ["Bash(ls)"]},\n   "timeout": 1e3\n}\n';
    sandbox.write(`shop/${LOCAL}`, own);
    await init(['--agent', 'claude']);
    expect(read(LOCAL).startsWith(own.slice(0, own.indexOf('\n}')))).toBe(true);
    expect(events(LOCAL)).toHaveLength(CLAUDE_EVENTS.length);
  });

  it('changes nothing the second time', async () => {
    await init(['--agent', 'claude', '--session']);
    const before = [LOCAL, '.claude/agents/coding-agent.md', '.gitignore'].map(
      (name) => statSync(path(name)).mtimeMs,
    );
    expect(await actions(['--agent', 'claude', '--session'])).toEqual(['keep']);
    expect(
      [LOCAL, '.claude/agents/coding-agent.md', '.gitignore'].map((name) => statSync(path(name)).mtimeMs),
    ).toEqual(before);
  });

  it.each(
    rows(1, [
      ['{"hooks": {"Stop": 7}}', 'hooks.Stop'],
      ['{"hooks": {', ''],
      ['{"hooks": [], "hooks": {}}', 'hooks'],
      ['[]', ''],
    ]),
  )('refuses settings that read %s, and writes nothing at all', async (text, named) => {
    sandbox.write(`shop/${LOCAL}`, text);
    const failed = await sandbox.failure(['init', '--agent', 'claude'], { in: 'shop' });
    expect(failed.exitCode).toBe(2);
    expectFailure(failed, `wiring.settings-unreadable ${LOCAL} ${named}`);
    expect(read(LOCAL)).toBe(text);
    expect(existsSync(path('.guardkit'))).toBe(false);
    expect(existsSync(sandbox.path('data', 'bin'))).toBe(false);
  });

  further('asks a person, and takes no for an answer', async () => {
    await init([], { person: true, input: 'y\nn\nn\n' });
    expect(events(LOCAL)).toEqual([]);
    expect(read('.guardkit/config.yaml')).not.toContain('project: "y"');
    const { stderr } = await init([], { person: true, input: '\n' });
    expect(stderr).toContain('[Y/n]');
    expect(events(LOCAL)).toHaveLength(CLAUDE_EVENTS.length);
  });

  it('refuses to wire for a team and not to wire', async () => {
    const failed = await sandbox.failure(['init', '--shared', '--no-agent'], { in: 'shop' });
    expect(failed).toMatchObject({ exitCode: 2, code: 'init.contradiction' });
    expect(existsSync(sandbox.path('shop/.guardkit'))).toBe(false);
  });

  it('wires with --yes, not with --no-agent, and nobody that was not asked', async () => {
    await init(['--yes', '--no-agent']);
    expect(events(LOCAL)).toEqual([]);
    const { stdout } = await init([]);
    expect(stdout).toContain('guardkit init --agent claude');
    expect(events(LOCAL)).toEqual([]);
    await init(['--yes']);
    expect(events(LOCAL)).toHaveLength(CLAUDE_EVENTS.length);
    expect((await init(['--no-agent'])).stdout).not.toContain('guardkit init --agent claude');
  });

  it('names only files to commit that it has changed', async () => {
    expect((await init(['--yes', '--no-agent'])).stdout).toContain('.guardkit/ and .gitignore');
    expect((await init(['--yes', '--ci', 'github'])).stdout).not.toMatch(/\.guardkit\/(?:\.| and)/);
  });

  it('refuses an agent that it does not know', async () => {
    const { exitCode, stderr } = await init(['--agent', 'hal']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('claude');
  });

  further('wires a team in the file that is committed, without a prefix', async () => {
    await init(['--agent', 'claude']);
    await init(['--shared']);
    expect(events(SHARED)).toHaveLength(CLAUDE_EVENTS.length);
    expect(JSON.parse(read(SHARED)).env).toBeUndefined();
    expect(read(SHARED)).not.toContain(sandbox.home);
    await init(['--agent', 'claude']);
    expect(events(SHARED)).toHaveLength(CLAUDE_EVENTS.length);
  });

  further('keeps own hooks next to a team’s only with a prefix, which would wrap the team’s', async () => {
    await init(['--shared']);
    const { available } = await findSandbox();
    const local = available ? JSON.parse(read(LOCAL)) : {};
    expect(events(LOCAL)).toHaveLength(available ? CLAUDE_EVENTS.length : 0);
    expect(hasOwnPrefix(local)).toBe(available);
    expect(local.disableAllHooks).toBe(available ? false : undefined);
  });

  it('says with --dry-run what it would do, and does none of it', async () => {
    const { stdout } = await init(['--agent', 'claude', '--session', '--dry-run', '--json']);
    const { agent, session } = JSON.parse(stdout);
    expect(agent.files).toContainEqual({ path: LOCAL, action: 'create' });
    expect(session).toContainEqual({ path: '.claude/agents/tester-agent.md', action: 'create' });
    expect(existsSync(path('.claude'))).toBe(false);
    expect(existsSync(sandbox.home)).toBe(false);
  });

  it('takes in a list of features, untested, and says so', async () => {
    sandbox.write(
      'shop/.claude/progress/feature-list.json',
      listText([{ id: 'FEAT-1', tested: true }, { id: 'FEAT-2' }]),
    );
    const { stdout } = await init(['--agent', 'claude', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      agent: { name: 'claude' },
      features: { adopted: ['FEAT-1', 'FEAT-2'], proven: [], unproven: ['FEAT-1'] },
    });
    expect(JSON.parse(read('.claude/progress/feature-list.json')).features[0].tested).toBe(false);
  });

  further('works from a subfolder and in a linked working tree', async () => {
    sandbox.write('shop/src/deep/a.js', '');
    await sandbox.guardkit(['init', '--agent', 'claude'], { in: 'shop/src/deep' });
    expect(events(LOCAL)).toHaveLength(CLAUDE_EVENTS.length);
    sandbox.git('shop', 'worktree', 'add', '--quiet', '../tree');
    await sandbox.guardkit(['init', '--agent', 'claude'], { in: 'tree' });
    const tree = readFileSync(sandbox.path('tree', LOCAL), 'utf8');
    // Claude Code takes both files there, and runs a command that both name once.
    expect(JSON.parse(tree).hooks).toEqual(JSON.parse(read(LOCAL)).hooks);
  });

  further('leaves a person’s own agents and commands alone', async () => {
    sandbox.write('shop/.claude/agents/coding-agent.md', 'mine');
    const { stdout } = await init(['--session', '--no-agent', '--json']);
    expect(read('.claude/agents/coding-agent.md')).toBe('mine');
    expect(JSON.parse(stdout).session).toEqual(
      expect.arrayContaining([
        { path: '.claude/agents/coding-agent.md', action: 'keep' },
        { path: '.claude/commands/guardkit-run.md', action: 'create' },
      ]),
    );
    expect(existsSync(path('.claude/commands/guardkit-run.md'))).toBe(true);
  });

  further('renews what an earlier GuardKit wrote for sessions, and so does doctor --fix', async () => {
    const coding = '.claude/agents/coding-agent.md';
    await init(['--agent', 'claude', '--session']);
    const ours = read(coding);
    const mark = createHash('sha256').update('# Old\n').digest('hex').slice(0, 16);
    const old = `# Old\n<!-- as guardkit wrote it: ${mark} -->\n`;
    sandbox.write(`shop/${coding}`, old);
    expect((await init([])).stdout).toContain(coding);
    expect(read(coding)).toBe(ours);
    sandbox.write(`shop/${coding}`, old);
    const fixed = await sandbox.guardkit(['doctor', '--fix'], { in: 'shop' });
    expect(fixed.stdout).toContain(coding);
    expect(read(coding)).toBe(ours);
  });

  further('says that the plugin brings the same hooks, where it is turned on', async () => {
    const enabledPlugins = { 'guardkit@guardkit': true };
    sandbox.write('home/.claude/settings.json', { enabledPlugins });
    expect((await init(['--agent', 'claude'])).stderr).toContain('guardkit@guardkit');
    sandbox.write('shop/.claude/settings.json', { enabledPlugins: { 'guardkit@guardkit': false } });
    expect((await init(['--agent', 'claude'])).stderr).not.toContain('guardkit@guardkit');
  });

  further('says that hooks are turned off by other settings', async () => {
    sandbox.write('home/.claude/settings.json', { disableAllHooks: true });
    expect((await init(['--agent', 'claude'])).stderr).toContain('disableAllHooks');
  });
});
