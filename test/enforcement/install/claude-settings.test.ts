import { describe, expect, it } from 'vitest';
import {
  CLAUDE_EVENTS,
  hookedEvents,
  readClaudeSettings,
  withHooks,
  withoutHooks,
} from '../../../src/enforcement/install/claude-settings.ts';
import { ownHookCommand, sharedHookCommand } from '../../../src/enforcement/install/hook-launcher.ts';

const COMMAND = ownHookCommand('/home/ada/.guardkit', 'claude');
const THEIRS = {
  permissions: { allow: ['Bash(ls)'] },
  hooks: {
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'theirs' }] }],
    Notification: [{ hooks: [{ type: 'command', command: 'beep' }] }],
  },
};

describe('the settings of Claude Code', () => {
  it('get GuardKit’s hooks for every event, next to existing ones', () => {
    const wired = withHooks(THEIRS, COMMAND);
    expect(hookedEvents(wired).sort()).toEqual([...CLAUDE_EVENTS].sort());
    expect(wired).toMatchObject({ permissions: THEIRS.permissions });
    expect(wired.hooks?.PreToolUse).toHaveLength(2);
    expect(wired.hooks?.PreToolUse?.[1]).toEqual({
      matcher: '*',
      hooks: [{ type: 'command', command: COMMAND.refusing, timeout: 60, onFailure: 'block' }],
    });
  });

  it('never block a prompt, even if the hook fails', () => {
    expect(withHooks({}, COMMAND).hooks?.UserPromptSubmit).toEqual([
      { matcher: '*', hooks: [{ type: 'command', command: COMMAND.letting, timeout: 60 }] },
    ]);
  });

  it('get the hooks once, however often they are installed', () => {
    const wired = withHooks(THEIRS, COMMAND);
    expect(withHooks(wired, sharedHookCommand('claude')).hooks?.PreToolUse).toHaveLength(2);
    expect(withHooks(wired, COMMAND)).toEqual(wired);
  });

  it('are restored when the hooks are removed', () => {
    expect(withoutHooks(withHooks(THEIRS, COMMAND))).toEqual(THEIRS);
    expect(withoutHooks(withHooks({}, COMMAND))).toEqual({});
  });

  it('keep a person’s hook in the same group as GuardKit’s', () => {
    const mixed = {
      hooks: { Stop: [{ matcher: '*', hooks: [{ command: 'theirs' }, { command: COMMAND.letting }] }] },
    };
    expect(withoutHooks(mixed)).toEqual({
      hooks: { Stop: [{ matcher: '*', hooks: [{ command: 'theirs' }] }] },
    });
  });

  it.each([
    ['{', 'JSON'],
    ['[]', 'object'],
    ['{"hooks": {"Stop": 7}}', 'hooks.Stop'],
  ])('with the text %s are refused with a reason', (text, why) => {
    const reading = readClaudeSettings(text);
    expect(reading.ok).toBe(false);
    expect(reading.ok ? '' : reading.why).toContain(why);
  });
});
