import { expect, it } from 'vitest';
import { homeProtectionOf, protectionOf } from '../../../src/domain/protection/protected-paths.ts';

it('on a case-insensitive file system, protected paths are protected in any case', () => {
  for (const path of [
    '.Claude/Progress/Feature-List.json',
    '.GUARDKIT/config.yaml',
    'TASKS/a/TASK-1.md',
    'Packages/a/.CLAUDE/Settings.json',
    '.Codex/config.toml',
    '.MCP.json',
  ]) {
    expect([path, protectionOf(path, { anyCase: true })]).not.toEqual([path, undefined]);
    expect([path, protectionOf(path)]).toEqual([path, undefined]);
    expect([path, protectionOf(path.toLowerCase().replace('task-', 'TASK-'))]).not.toEqual([path, undefined]);
  }
  expect(homeProtectionOf('.GitConfig', true)).toBe('git-internals');
  expect(homeProtectionOf('src/.gitconfig', true)).toBe(undefined);
});
