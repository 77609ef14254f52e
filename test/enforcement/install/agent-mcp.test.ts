import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mcpLauncherPath } from '../../../src/enforcement/install/mcp-launcher.ts';
import { CODEX_MCP } from '../../../src/enforcement/install/project-files/codex-config.ts';
import {
  COPILOT_MCP,
  GEMINI_MCP,
  type McpPlace,
  OPENCODE_MCP,
  QWEN_MCP,
} from '../../../src/enforcement/install/wire-mcp.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function project(place: McpPlace, text?: string) {
  const root = temporaryFolder();
  const dataFolder = join(root, 'data "folder"');
  const path = join(root, place.file);
  mkdirSync(dirname(path), { recursive: true });
  if (text !== undefined) writeFileSync(path, text);
  const perform = (steps: ReturnType<McpPlace['plan']>) => {
    for (const step of steps) step.perform();
    return steps.map(({ action }) => action);
  };
  return {
    root,
    launcher: mcpLauncherPath(dataFolder),
    exists: () => existsSync(path),
    text: () => readFileSync(path, 'utf8'),
    plan: (shared?: boolean) => place.plan({ root, dataFolder, shared }),
    wire: (shared?: boolean) => perform(place.plan({ root, dataFolder, shared })),
    remove: () => perform(place.planRemoval(root)),
  };
}

const OWN: [string, McpPlace, string][] = [
  [
    'Codex',
    CODEX_MCP,
    '# mine\nmodel = "m"\n\n[mcp_servers.docs]\ncommand = "docs"\n\n[features]\nhooks = true\n',
  ],
  ['Copilot CLI', COPILOT_MCP, '{"mcpServers": {"docs": {"command": "docs"}}}\n'],
  ['Gemini CLI', GEMINI_MCP, '{"theme": "x",  "mcpServers": {"docs": {"command": "docs"}}}\n'],
  ['OpenCode', OPENCODE_MCP, '{"model": "a/b",  "mcp": {"docs": {"type": "remote", "url": "u"}}}\n'],
  ['Qwen Code', QWEN_MCP, '{"theme": "x",  "mcpServers": {"docs": {"command": "docs"}}}\n'],
];

describe.each(OWN)('the tools in the settings of %s', (_title, place, own) => {
  it('come without a file and with one, whose text is the same after the removal', () => {
    const fresh = project(place);
    expect(fresh.wire()).toEqual(['create', 'create']);
    expect(place.isWired(fresh.root)).toBe(true);
    expect(fresh.wire()).toEqual(['keep', 'keep']);
    expect(fresh.remove()).toEqual(['remove']);
    expect(fresh.exists()).toBe(false);
    const existing = project(place, own);
    expect(existing.wire()).toEqual(['create', 'change']);
    expect(existing.text()).toContain('docs');
    expect(existing.remove()).toEqual(['change']);
    expect(existing.text()).toBe(own);
  });

  it('name only the program if they are for the team, and stay so', () => {
    const one = project(place);
    one.wire();
    expect(one.text()).toContain(JSON.stringify(one.launcher));
    expect(one.wire(true)).toEqual(['change']);
    expect(one.text()).not.toContain('guardkit-mcp');
    expect(one.wire()).toEqual(['keep']);
  });

  it('are added to the file as it is then, not as it was planned', () => {
    const one = project(place, own);
    const steps = one.plan();
    writeFileSync(join(one.root, place.file), own.replace('docs', 'other'));
    for (const step of steps) step.perform();
    expect(one.text()).toContain('other');
  });
});

it.each<[McpPlace, string]>([
  [CODEX_MCP, '[mcp_servers.guardkit]\ncommand = "mine"\n'],
  [CODEX_MCP, '[mcp_servers."guardkit"]\ncommand = "mine"\n'],
  [CODEX_MCP, '[mcp_servers.guardkit.env]\nA = "b"\n'],
  [CODEX_MCP, 'mcp_servers = {}\n'],
  [CODEX_MCP, '[mcp_servers]\nguardkit.command = "mine"\n'],
  [GEMINI_MCP, '{"mcpServers": {"guardkit": {"command": "mine"}}}'],
  [GEMINI_MCP, '{"mcpServers": 1}'],
  [OPENCODE_MCP, '{"mcp": {"guardkit": {"type": "remote", "url": "u"}}}'],
  [OPENCODE_MCP, '{ broken'],
])('a file that cannot be extended is never changed: %#', (place, text) => {
  const one = project(place, text);
  expect(() => one.wire()).toThrowError(expect.objectContaining({ code: 'wiring.mcp-unreadable' }));
  expect(place.isWired(one.root)).toBe(false);
  expect(one.text()).toBe(text);
});
