import { describe, expect, it } from 'vitest';
import { namedProtection } from '../../src/guards/named-protection.ts';

const NAMED = [
  ['cat .claude/progress/feature-list.json', 'feature-list'],
  ['open("SESSION-STATE.json")', 'session-state'],
  ['rm -r .guardkit/', 'definition'],
  ['cd .GuardKit', 'definition'],
  ['tasks/backlog/TASK-1.md', 'definition'],
  ['.claude/settings.local.json', 'agent-settings'],
  ['.Claude/Hooks/x', 'agent-settings'],
  ['.mcp.json', 'agent-settings'],
  ['~/.codex/config.toml', 'agent-settings'],
  ['~/.gemini/settings.json', 'agent-settings'],
  ['.cursor/hooks', 'agent-settings'],
  ['.OPENCODE/CONFIG', 'agent-settings'],
  ['.git/hooks/pre-commit', 'git-internals'],
  ['.git/config', 'git-internals'],
  ['.GIT/info/attributes', 'git-internals'],
  ['~/.gitconfig', 'git-internals'],
  ['refs/guardkit/base', 'git-internals'],
  ['home/ledger.db', 'data'],
] as const;

describe('a text names a protected file', () => {
  it.each(NAMED)('with %s', (text, protection) => {
    expect(namedProtection(text)).toBe(protection);
  });

  it('with detours, and by the data folder', () => {
    expect(namedProtection('.git//hooks/x')).toBe('git-internals');
    expect(namedProtection('.claude/.//./hooks/x')).toBe('agent-settings');
    expect(namedProtection('cat /data/gk/x', '/data/gk')).toBe('data');
  });

  it('not by similar names', () => {
    for (const text of [
      'npm test',
      'node --test a/b.js',
      '.guardkit/logs/a.log',
      '.github/x',
      'my-task-1.md',
    ])
      expect([text, namedProtection(text)]).toEqual([text, undefined]);
  });
});
