import { expect, test } from 'vitest';
import { onlyPersonsChoices } from '../../../src/enforcement/effective/agent-settings.ts';

const BASE = { hooks: { PreToolUse: [] }, permissions: { allow: ['Bash(ls:*)'], deny: ['Read(.env)'] } };

const FREE: Record<string, unknown> = {
  'a command that a person wants to be asked about no more': {
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
  test(`an agent’s program may write for a person: ${name}`, () => {
    expect(onlyPersonsChoices(JSON.stringify(BASE), JSON.stringify(after, null, 2))).toBe(true);
  });
}

const WRONG: Record<string, unknown> = {
  'no hooks': { permissions: BASE.permissions },
  'all hooks switched off': { ...BASE, disableAllHooks: true },
  'a variable': { ...BASE, env: { PATH: '/evil' } },
  'a refusal taken away': { ...BASE, permissions: { allow: ['Bash(ls:*)'], deny: [] } },
  'a mode that asks nothing': {
    ...BASE,
    permissions: { ...BASE.permissions, defaultMode: 'bypassPermissions' },
  },
  'permissions of another kind': { ...BASE, permissions: ['x'] },
  'an allowed command taken away': { ...BASE, permissions: { ...BASE.permissions, allow: [] } },
};

for (const [name, after] of Object.entries(WRONG)) {
  test(`settings are not an agent’s to change: ${name}`, () => {
    expect(onlyPersonsChoices(JSON.stringify(BASE), JSON.stringify(after))).toBe(false);
  });
}

test('what is no JSON, or only looks like it, is no choice of a person', () => {
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

test('a first choice makes the file', () => {
  expect(onlyPersonsChoices('', '{"permissions":{"allow":["Bash(npm test:*)"]}}')).toBe(true);
  expect(onlyPersonsChoices('', '{"permissions":{"allow":["x"]},"hooks":{}}')).toBe(false);
  expect(onlyPersonsChoices('', '{"__proto__":{"disableAllHooks":true}}')).toBe(false);
});
