import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOOKED_AGENTS, unaskedServers } from '../../../src/enforcement/agents/agent-hooks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const mayAdd = (agent: string, checkout: string) => unaskedServers(agent, checkout) === undefined;

describe('a new list of MCP servers', () => {
  it('may be created by an agent whose program asks first, and by no other', () => {
    const folder = temporaryFolder();
    expect(HOOKED_AGENTS.filter((agent) => mayAdd(agent, folder))).toEqual(['claude']);
    expect(mayAdd('acp', folder)).toBe(false);
  });

  it.each([
    ['.github/copilot/settings.json', 'Copilot CLI'],
    ['.qwen/settings.json', 'Qwen Code'],
  ])('may not be created where %s exists, since %s starts the servers', (settings, title) => {
    const folder = temporaryFolder();
    mkdirSync(dirname(join(folder, settings)), { recursive: true });
    writeFileSync(join(folder, settings), '{}');
    expect(unaskedServers('claude', folder)).toContain(title);
  });
});
