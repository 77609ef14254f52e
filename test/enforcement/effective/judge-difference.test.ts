import { describe, expect, it, test } from 'vitest';
import {
  onlyPersonsChoices,
  startsSamePrograms,
} from '../../../src/enforcement/effective/judge-difference.ts';

const BASE = { hooks: { PreToolUse: [] }, permissions: { allow: ['Bash(ls:*)'], deny: ['Read(.env)'] } };

const FREE: Record<string, unknown> = {
  'a command that a person always allows': {
    ...BASE,
    permissions: { ...BASE.permissions, allow: ['Bash(ls:*)', 'Bash(npm test:*)'] },
  },
  'another model': { ...BASE, model: 'opus' },
  'keys in another order': {
    permissions: { deny: ['Read(.env)'], allow: ['Bash(ls:*)'] },
    hooks: { PreToolUse: [] },
  },
};

for (const [name, after] of Object.entries(FREE)) {
  test(`a person’s choice in the settings is harmless: ${name}`, () => {
    expect(onlyPersonsChoices(JSON.stringify(BASE), JSON.stringify(after, null, 2))).toBe(true);
  });
}

const WRONG: Record<string, unknown> = {
  'no hooks': { permissions: BASE.permissions },
  'all hooks switched off': { ...BASE, disableAllHooks: true },
  'a variable': { ...BASE, env: { PATH: '/evil' } },
  'a removed denial': { ...BASE, permissions: { allow: ['Bash(ls:*)'], deny: [] } },
  'a mode that asks nothing': {
    ...BASE,
    permissions: { ...BASE.permissions, defaultMode: 'bypassPermissions' },
  },
  'permissions of another kind': { ...BASE, permissions: ['x'] },
  'a removed allowance': { ...BASE, permissions: { ...BASE.permissions, allow: [] } },
};

for (const [name, after] of Object.entries(WRONG)) {
  test(`a change of settings is effective: ${name}`, () => {
    expect(onlyPersonsChoices(JSON.stringify(BASE), JSON.stringify(after))).toBe(false);
  });
}

test('invalid settings are not a person’s choice', () => {
  for (const text of [
    '{',
    '[]',
    'null',
    '"x"',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    '{"__proto__":{"hooks":1}}',
  ])
    expect(onlyPersonsChoices(JSON.stringify(BASE), text)).toBe(false);
});

test('a person’s first choice creates the file', () => {
  expect(onlyPersonsChoices('', '{"permissions":{"allow":["Bash(npm test:*)"]}}')).toBe(true);
  expect(onlyPersonsChoices('', '{"permissions":{"allow":["x"]},"hooks":{}}')).toBe(false);
  expect(onlyPersonsChoices('', '{"__proto__":{"disableAllHooks":true}}')).toBe(false);
});

const text = (state: unknown) => JSON.stringify(state);

describe('the state file of an agent’s program', () => {
  it('starts the same programs if only the program’s own notes changed', () => {
    const before = text({ numStartups: 1, projects: { '/shop': { lastCost: 1 } } });
    const after = text({
      numStartups: 2,
      mcpServers: {},
      projects: { '/shop': { lastCost: 2, mcpServers: {} }, '/other': { allowedTools: [] } },
    });
    expect(startsSamePrograms(before, after)).toBe(true);
    expect(startsSamePrograms('', after)).toBe(true);
  });

  it('starts other programs with a new server or hook, for all projects or one', () => {
    const server = { shop: { command: './x' } };
    expect(startsSamePrograms('{}', text({ mcpServers: server }))).toBe(false);
    expect(startsSamePrograms('{}', text({ hooks: { Stop: [{}] } }))).toBe(false);
    expect(startsSamePrograms('{}', text({ projects: { '/shop': { mcpServers: server } } }))).toBe(false);
    expect(startsSamePrograms(text({ mcpServers: server }), '{}')).toBe(false);
  });

  it('counts as different if it cannot be read', () => {
    expect(startsSamePrograms('{}', '{')).toBe(false);
    expect(startsSamePrograms('[]', '[]')).toBe(false);
  });
});
