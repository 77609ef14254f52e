import { describe, expect, it } from 'vitest';
import { configLocations } from '../../../src/domain/protection/config-locations.ts';
import { homeProtectionOf } from '../../../src/domain/protection/protected-paths.ts';

const HOME = '/home/ada';

describe('where a person’s orders lie', () => {
  it('is the home folder, unless a variable leads elsewhere', () => {
    expect(configLocations({}, HOME)).toEqual([]);
    const usual = {
      CLAUDE_CONFIG_DIR: '/home/ada/.claude',
      XDG_CONFIG_HOME: '/home/ada/.config/',
      GIT_CONFIG_GLOBAL: '/home/ada/.gitconfig',
    };
    expect(configLocations(usual, HOME)).toEqual([]);
  });

  it.each([
    ['CLAUDE_CONFIG_DIR', '/etc/ada', '/etc/ada'],
    ['CODEX_HOME', '/etc/ada', '/etc/ada'],
    ['COPILOT_HOME', '/etc/ada', '/etc/ada'],
    ['GEMINI_CLI_HOME', '/etc/ada', '/etc/ada'],
    ['QWEN_HOME', '/etc/ada', '/etc/ada'],
    ['XDG_CONFIG_HOME', '/etc/ada', '/etc/ada'],
    ['GIT_CONFIG_GLOBAL', '/etc/ada/gitconfig', '/etc/ada'],
  ])('is where %s leads, and all that is looked for there is protected as at home', (name, value, folder) => {
    const [found, ...others] = configLocations({ [name]: value }, HOME);
    expect([found?.folder, others]).toEqual([folder, []]);
    for (const root of found?.roots ?? [])
      expect(homeProtectionOf(found?.asAtHome(root) ?? ''), root).toBeDefined();
    expect(homeProtectionOf(found?.asAtHome('notes.md') ?? '')).toBeUndefined();
  });

  it.each(['', 'here', './here'])('is not the relative path %j, which no program reads', (value) => {
    const env = { CLAUDE_CONFIG_DIR: value, XDG_CONFIG_HOME: value, GIT_CONFIG_GLOBAL: value };
    expect(configLocations(env, HOME)).toEqual([]);
  });

  it('is nowhere for a person who gives git no configuration at all', () => {
    expect(configLocations({ GIT_CONFIG_GLOBAL: '/dev/null' }, HOME)).toEqual([]);
  });
});
