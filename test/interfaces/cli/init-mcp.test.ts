import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';

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

  expect((await init('--agent', 'claude')).stdout).not.toMatch(/wrote|changed/);
  await sandbox.guardkit(['uninstall'], { in: 'shop', person: true, input: 'y\n' });
  expect(read()).toBe(own);
  expect(existsSync(launcher())).toBe(false);
});

const IGNORE = 'add .mcp.json to .gitignore or .git/info/exclude';
const COMMIT = '.mcp.json is not in git yet: commit it';

it('what is to be done with a file that is not in git is said, until it is done', async () => {
  const first = await init('--no-agent', '--mcp');
  expect(first.stdout).toContain(IGNORE);
  expect(first.stdout).toContain('`guardkit init --mcp --shared` writes it so that it can be committed');
  expect((await init('--no-agent')).stdout).toContain(IGNORE);
  sandbox.write('shop/.git/info/exclude', '.mcp.json\n');
  expect((await init('--no-agent', '--mcp')).stdout).not.toContain(IGNORE);
});

it('one that is written for the team is to be committed, and where it is, nothing is said', async () => {
  const first = await init('--no-agent', '--mcp', '--shared');
  expect(first.stdout).toContain(COMMIT);
  expect(first.stdout).not.toContain(IGNORE);
  sandbox.git('shop', 'add', '.mcp.json');
  const again = await init('--no-agent', '--mcp', '--shared');
  expect(again.stdout).not.toMatch(/\.mcp\.json (?:is not in git|to \.gitignore)/);
});

it('it is only done where it is asked for, and --dry-run only tells', async () => {
  await init('--agent', 'claude');
  expect(existsSync(sandbox.path(FILE))).toBe(false);
  const { stdout } = await init('--agent', 'claude', '--mcp', '--dry-run');
  expect(stdout).toContain('would write .mcp.json');
  expect(stdout).not.toContain('is not in git');
  expect(existsSync(sandbox.path(FILE))).toBe(false);
  expect(existsSync(launcher())).toBe(false);
});

it('a file that cannot be merged with stops everything before anything is written', async () => {
  sandbox.write(FILE, '{ broken');
  const { exitCode, stderr } = await init('--agent', 'claude', '--mcp');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('.mcp.json: it is no JSON');
  expect(existsSync(sandbox.path('shop', '.claude'))).toBe(false);
  expect(read()).toBe('{ broken');
});
