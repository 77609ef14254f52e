import { describe, expect, it } from 'vitest';
import {
  examineWiring,
  type FoundWiring,
  type SettingsSource,
} from '../../../src/enforcement/doctor/examine-wiring.ts';
import {
  type ClaudeSettings,
  ownHooks,
  withHooks,
} from '../../../src/enforcement/install/claude-settings.ts';
import { ownHookCommand } from '../../../src/enforcement/install/hook-launcher.ts';

const COMMAND = ownHookCommand('/home/ada/.guardkit', 'claude');
const WIRED = withHooks({}, COMMAND);

function found(settings: ClaudeSettings, more: SettingsSource[] = [], known = true): FoundWiring {
  const path = '/shop/.claude/settings.local.json';
  const file = { path, real: path, text: '', settings };
  return {
    sources: [{ path, scope: 'own', reading: { ok: true, file } }, ...more],
    hooks: ownHooks(settings).map((hook) => ({ ...hook, path, scope: 'own', known })),
  };
}

function source(scope: SettingsSource['scope'], settings: ClaudeSettings): SettingsSource {
  const path = `/${scope}/settings.json`;
  return { path, scope, reading: { ok: true, file: { path, real: path, text: '', settings } } };
}

describe('the hooks in the settings', () => {
  it('pass as init writes them', () => {
    expect(examineWiring(found(WIRED))).toMatchObject({ outcome: 'pass' });
  });

  it('fail if there are none, with the next step', () => {
    expect(examineWiring(found({}))).toMatchObject({
      outcome: 'fail',
      hint: expect.stringContaining('init'),
    });
  });

  it.each<[string, FoundWiring, string]>([
    ['turned off in the same file', found({ ...WIRED, disableAllHooks: true }), 'disableAllHooks'],
    [
      'if another file disables them',
      found(WIRED, [source('home', { disableAllHooks: true })]),
      '/home/settings.json',
    ],
    [
      'if an administrator overrules them',
      found(WIRED, [source('managed', { allowManagedHooksOnly: true })]),
      'administrator',
    ],
    [
      'if another file cannot be read',
      found(WIRED, [{ path: '/x', scope: 'team', reading: { ok: false, why: 'it is not valid JSON' } }]),
      'it is not valid JSON',
    ],
    ['leading to another program', found(WIRED, [], false), 'GuardKit'],
    ['without an event', found(without('Stop')), 'Stop'],
    ['for some tools only', found(changed('PreToolUse', { matcher: 'Write|Edit' }, {})), 'Write|Edit'],
    [
      'if a failure allows the action',
      found(changed('PreToolUse', {}, { onFailure: undefined })),
      'PreToolUse',
    ],
  ])('fail %s', (_, wiring, why) => {
    const check = examineWiring(wiring);
    expect(check.outcome).toBe('fail');
    expect(check.found).toContain(why);
    expect(check.hint).toBeDefined();
  });
});

function without(event: string): ClaudeSettings {
  const { [event]: _, ...hooks } = WIRED.hooks ?? {};
  return { hooks };
}

function changed(event: string, group: object, handler: object): ClaudeSettings {
  const groups = (WIRED.hooks?.[event] ?? []).map((one) => ({
    ...one,
    ...group,
    hooks: (one.hooks ?? []).map((hook) => ({ ...hook, ...handler })),
  }));
  return { hooks: { ...WIRED.hooks, [event]: groups } };
}
