import { afterAll, describe, expect, it } from 'vitest';
import type { Action } from '../../../src/guards/action.ts';
import { pathContext } from '../../../src/guards/path-context.ts';
import { realPath } from '../../../src/guards/real-path.ts';
import { common, GuardedProject } from '../guarded-project.ts';

const project = new GuardedProject();
afterAll(() => project.cleanup());

/** The decision on an edit, and the guards that object. */
function judge(path: string, after: string | undefined, how: { before?: string } = {}) {
  const { decision, findings } = project.judge(project.edit(path, after, how));
  return [decision, ...findings.map(({ guard }) => guard)];
}

describe('an edit of another file', () => {
  it.each([
    ['.claude/settings.json', '{}'],
    ['packages/ui/.claude/skills/x/SKILL.md', 'x'],
    ['packages/ui/.claude/agents/x.md', 'x'],
    ['a/b/c/.claude/settings.json', '{"disableAllHooks": true}'],
    ['.x/.claude/settings.local.json', '{"disableAllHooks": true}'],
    ['packages/ui/.cursor/rules/x.mdc', 'x'],
    ['.qwen/settings.json', '{}'],
    ['.github/mcp.json', '{}'],
    ['.github/skills/x/SKILL.md', 'x'],
    ['.husky/pre-commit', 'x'],
    ['~/.bashrc', 'x'],
    ['~/.config/fish/config.fish', 'x'],
    ['.git/hooks/post-commit', ''],
    ['~/.claude/settings.json', '{}'],
    ['.claude/progress/session-state.json', '{}'],
  ])('%s is refused', (path, text) => {
    expect(judge(path, text)).toEqual(['deny', 'protected-set']);
  });

  it.each(['.guardkit/config.yaml', 'tasks/backlog/TASK-001-login.md', '.guardkit/guards/mine.yaml'])(
    'a change to %s is the person’s to decide',
    (path) => {
      expect(judge(path, 'x')).toEqual(['ask', 'protected-set']);
      expect(project.judge(project.edit(path, 'x'), { canAsk: false }).decision).toBe('deny');
    },
  );

  it.each(['tasks/backlog/TASK-002-new.md', 'tasks/TASK-003.md', '.guardkit/features/new.yaml'])(
    'a new %s is a proposal',
    (path) => {
      expect(project.judge(project.edit(path, 'x'), { canAsk: false }).findings).toEqual([]);
    },
  );

  it.each([
    ['an edit', () => project.edit('.mcp.json', '{}')],
    ['a command', () => project.command('echo {} > .mcp.json')],
    [
      'a tool',
      (): Action => ({
        ...common('mcp__x__put'),
        kind: 'tool',
        name: 'mcp__x__put',
        input: {},
        mentions: [realPath('.mcp.json', project.paths())],
      }),
    ],
  ])(
    'a new .mcp.json by %s is the person’s to decide, and refused if an agent starts its servers unasked',
    (_, action) => {
      const asked = { unaskedServers: () => undefined };
      expect(project.judge(action(), asked)).toMatchObject({
        decision: 'ask',
        findings: [{ guard: 'protected-set' }],
      });
      expect(project.judge(action(), { ...asked, canAsk: false }).decision).toBe('deny');
      expect(project.judge(action())).toMatchObject({
        decision: 'deny',
        findings: [{ guard: 'protected-set' }],
      });
      const refused = project.judge(action(), { unaskedServers: () => 'Another agent starts them.' });
      expect(refused.findings[0]).toMatchObject({
        decision: 'deny',
        reason: expect.stringContaining('Another agent starts them.'),
        guidance: expect.stringMatching(/person/),
      });
    },
  );

  it.each([
    '~/.npmrc',
    '~/.config/pip/pip.conf',
    '~/.cargo/config.toml',
    '~/.local/bin/tool',
    '~/bin/tool',
    '~/.local/lib/python3.12/site-packages/x.pth',
  ])('%s needs a person’s consent, and is only recorded if no person can be asked', (path) => {
    expect(judge(path, 'x')).toEqual(['ask', 'protected-set']);
    expect(project.judge(project.edit(path, 'x'), { canAsk: false }).decision).toBe('warn');
    expect(project.judge(project.command(`cp x ${path}`), { canAsk: false }).decision).toBe('warn');
  });

  it.each([
    ['hooksPaths', 'git-hooks/pre-push'],
    ['gitIncludes', 'work.gitconfig'],
  ])('files from the person’s git setting %s are protected', (field, path) => {
    const folder = field === 'hooksPaths' ? `${project.root}/git-hooks` : `${project.root}/${path}`;
    const context = pathContext({ ...project.paths(), [field]: [folder] });
    expect(realPath(path, context).protectedAs).toBe('git-internals');
    expect(realPath('src/index.ts', context).protectedAs).toBe(undefined);
  });

  it('a folder above the project does not count as a hooks folder', () => {
    const context = pathContext({ ...project.paths(), hooksPaths: [project.home] });
    expect(realPath('src/index.ts', context).protectedAs).toBe(undefined);
  });

  it.each([
    ['src/index.ts', 'export const answer = 43;'],
    ['src/feature-list.json', '{"tested": true}'],
    ['docs/guide.md', 'See .claude/progress/feature-list.json and .guardkit/config.yaml.'],
    ['.claude/progress/notes.md', 'tested: true'],
    ['.guardkit/logs/x.log', ''],
    ['CLAUDE.md', 'Be kind.'],
    ['.gitignore', '.claude/progress/'],
    ['.github/workflows/ci.yml', 'on: push'],
    [
      'package.json',
      '{"scripts": {"test": "vitest run", "lint": "biome check"}, "dependencies": {"zod": "4"}}',
    ],
  ])('%s is allowed', (path, text) => {
    expect(
      judge(path, text, { before: path === 'package.json' ? '{"scripts": {"test": "vitest run"}}' : '' }),
    ).toEqual(['allow']);
  });
});
