import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mcpLauncherPath } from '../../../src/enforcement/install/mcp-launcher.ts';
import { CLAUDE_MCP } from '../../../src/enforcement/install/wire-mcp.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function project(text?: string) {
  const root = temporaryFolder();
  const dataFolder = join(root, 'data "folder"');
  const path = join(root, '.mcp.json');
  if (text !== undefined) writeFileSync(path, text);
  return {
    root,
    dataFolder,
    path,
    text: () => readFileSync(path, 'utf8'),
    wire(shared?: boolean) {
      const steps = CLAUDE_MCP.plan({ root, dataFolder, shared });
      for (const step of steps) step.perform();
      return steps.map(({ action }) => action);
    },
    remove() {
      const steps = CLAUDE_MCP.planRemoval(root);
      for (const step of steps) step.perform();
      return steps.map(({ action }) => action);
    },
  };
}

it('a project without servers gets a file with the launcher’s path, and removal deletes it', () => {
  const one = project();
  expect(CLAUDE_MCP.isWired(one.root)).toBe(false);
  expect(one.wire()).toEqual(['create', 'create']);
  expect(JSON.parse(one.text())).toEqual({
    mcpServers: { guardkit: { type: 'stdio', command: mcpLauncherPath(one.dataFolder), args: [] } },
  });
  expect(CLAUDE_MCP.isWired(one.root)).toBe(true);
  expect(one.wire()).toEqual(['keep', 'keep']);
  expect(one.remove()).toEqual(['remove']);
  expect(existsSync(one.path)).toBe(false);
  expect(one.remove()).toEqual([]);
});

it('other servers stay byte for byte, also after removal', () => {
  const text =
    '{\n\t"mcpServers": {\n\t\t"other": { "command": "x", "timeout": 1e3 }\n\t},\n\t"more": [1,  2]\n}\n';
  const one = project(text);
  expect(one.wire()).toEqual(['create', 'change']);
  expect(one.text()).toContain('"other": { "command": "x", "timeout": 1e3 }');
  expect(one.text()).toContain('"more": [1,  2]');
  expect(JSON.parse(one.text()).mcpServers).toHaveProperty('guardkit');
  expect(one.remove()).toEqual(['change']);
  expect(one.text()).toBe(text);
});

it('for a team the server is listed by name, and stays so', () => {
  const one = project();
  expect(one.wire(true)).toEqual(['create']);
  expect(JSON.parse(one.text()).mcpServers.guardkit).toEqual({
    type: 'stdio',
    command: 'guardkit',
    args: ['mcp'],
  });
  expect(one.wire()).toEqual(['keep']);
});

it('a launcher of another machine is replaced by this one’s', () => {
  const other = { command: '/home/other/.guardkit/bin/guardkit-mcp', args: [] };
  const one = project(JSON.stringify({ mcpServers: { guardkit: other } }));
  expect(one.wire()).toEqual(['create', 'change']);
  expect(one.text()).toContain(JSON.stringify(mcpLauncherPath(one.dataFolder)));
});

it.each([
  '{ "mcpServers": [',
  '{ "mcpServers": [] }',
  '[]',
  'null',
  '{"mcpServers": {"guardkit": {"command": "mine"}}}',
  '{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}',
])('%s is left unchanged, with a reason', (text) => {
  const one = project(text);
  expect(() => one.wire()).toThrow(expect.objectContaining({ code: 'wiring.mcp-unreadable' }));
  expect(one.text()).toBe(text);
});

it('a person’s own server of the same name is not removed', () => {
  const text = '{"mcpServers": {"guardkit": {"command": "mine"}}}';
  const one = project(text);
  expect(one.remove()).toEqual([]);
  expect(one.text()).toBe(text);
});

it('a folder in its place is refused, and a link is followed', () => {
  const folder = project();
  mkdirSync(folder.path);
  expect(() => folder.wire()).toThrow(expect.objectContaining({ code: 'wiring.mcp-unreadable' }));
  const linked = project();
  writeFileSync(join(linked.root, 'real.json'), '{}');
  symlinkSync('real.json', linked.path);
  linked.wire();
  expect(readFileSync(join(linked.root, 'real.json'), 'utf8')).toContain('guardkit-mcp');
});

it('the launcher starts the server from any folder, ignoring variables that load code', () => {
  const one = project();
  one.wire();
  const help = execFileSync(mcpLauncherPath(one.dataFolder), ['--help'], {
    cwd: '/',
    env: { PATH: process.env.PATH, NODE_OPTIONS: '--require=/nowhere.js', HOME: one.root },
    encoding: 'utf8',
  });
  expect(help).toContain('--role <role>');
});
