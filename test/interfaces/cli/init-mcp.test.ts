import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';
import { further } from '../../support/thorough.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

const FILE = 'shop/.mcp.json';
const read = () => readFileSync(sandbox.path(FILE), 'utf8');
const init = (...args: string[]) => sandbox.guardkit(['init', ...args], { in: 'shop' });
const launcher = () => sandbox.path('data', 'bin', 'guardkit-mcp');

it('init --mcp offers the tools by a launcher of its own, and uninstall takes both away again [GUARD-7]', async () => {
  const own = '{"mcpServers": {"docs": {"command": "docs", "timeout": 1.0}}}';
  sandbox.write(FILE, own);
  const { exitCode, stdout } = await init('--agent', 'claude', '--mcp');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('.mcp.json');
  expect(read()).toContain('"docs": {"command": "docs", "timeout": 1.0}');
  expect(JSON.parse(read()).mcpServers.guardkit.command).toBe(launcher());
  expect(existsSync(launcher())).toBe(true);

  const again = JSON.parse((await init('--agent', 'claude', '--json')).stdout);
  for (const { action } of [...again.agent.files, ...again.mcp]) expect(action).toBe('keep');
  await sandbox.guardkit(['uninstall'], { in: 'shop', person: true, input: 'y\n' });
  expect(read()).toBe(own);
  expect(existsSync(launcher())).toBe(false);
});

/** What is left to do with the file; each names another way. */
const IGNORE = '.git/info/exclude';
const SHARE = 'guardkit init --mcp --shared';

further('what is to be done with a file that is not in git is said, until it is done', async () => {
  const first = await init('--no-agent', '--mcp');
  expect(first.stdout).toContain(IGNORE);
  expect(first.stdout).toContain(SHARE);
  expect((await init('--no-agent')).stdout).toContain(IGNORE);
  sandbox.write('shop/.git/info/exclude', '.mcp.json\n');
  expect((await init('--no-agent', '--mcp')).stdout).not.toContain(IGNORE);
});

it('one that is written for the team is to be committed, and where it is, nothing is said', async () => {
  const first = await init('--no-agent', '--mcp', '--shared');
  expect(first.stdout).not.toContain(IGNORE);
  // The file as it was written, and what is left to do with it.
  expect(first.stdout.match(/^.*\.mcp\.json.*$/gm)).toHaveLength(2);
  sandbox.git('shop', 'add', '.mcp.json');
  const again = await init('--no-agent', '--mcp', '--shared');
  expect(again.stdout.match(/^.*\.mcp\.json.*$/gm)).toHaveLength(1);
});

it('it is only done where it is asked for, and --dry-run only tells', async () => {
  await init('--agent', 'claude');
  expect(existsSync(sandbox.path(FILE))).toBe(false);
  const { stdout } = await init('--agent', 'claude', '--mcp', '--dry-run');
  expect(stdout.match(/^.*\.mcp\.json.*$/gm)).toHaveLength(1);
  const { mcp } = JSON.parse((await init('--agent', 'claude', '--mcp', '--dry-run', '--json')).stdout);
  expect(mcp).toContainEqual({ path: '.mcp.json', action: 'create' });
  expect(existsSync(sandbox.path(FILE))).toBe(false);
  expect(existsSync(launcher())).toBe(false);
});

it('a file that cannot be merged with stops everything before anything is written', async () => {
  sandbox.write(FILE, '{ broken');
  expect(await sandbox.failure(['init', '--agent', 'claude', '--mcp'], { in: 'shop' })).toMatchObject({
    exitCode: 2,
    code: 'wiring.mcp-unreadable',
    message: expect.stringContaining('.mcp.json'),
  });
  expect(existsSync(sandbox.path('shop', '.claude'))).toBe(false);
  expect(read()).toBe('{ broken');
});

it('gives the tools to the agents that have hooks, in their own settings, and uninstall removes them', async () => {
  const agents = ['codex', 'gemini', 'opencode'].flatMap((name) => ['--agent', name]);
  const { mcp, session } = JSON.parse((await init(...agents, '--mcp', '--session', '--json')).stdout);
  const places = ['.codex/config.toml', '.gemini/settings.json', '.opencode/opencode.json'];
  expect(mcp.map(({ path }: { path: string }) => path)).toEqual([launcher(), ...places]);
  for (const path of places) expect(readFileSync(sandbox.path('shop', path), 'utf8')).toContain(launcher());
  expect(existsSync(sandbox.path(FILE))).toBe(false);
  expect(session).toContainEqual({ path: '.gemini/commands/task-work.toml', action: 'create' });
  await sandbox.guardkit(['uninstall'], { in: 'shop', person: true, input: 'y\n' });
  for (const path of places) expect(existsSync(sandbox.path('shop', path))).toBe(false);
  expect(existsSync(sandbox.path('shop/.gemini/commands'))).toBe(false);
});
