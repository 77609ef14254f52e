import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  CLAUDE_EVENTS,
  type ClaudeSettings,
  withHooks,
  withoutHooks,
} from '../../../src/enforcement/install/claude-settings.ts';
import { ownHookCommand, sharedHookCommand } from '../../../src/enforcement/install/hook-launcher.ts';
import { withHooksIn } from '../../../src/enforcement/install/settings-file.ts';
import { runs } from '../../support/thorough.ts';

const OWN = ownHookCommand('/home/ada/.guardkit', 'claude');
const SHARED = sharedHookCommand('claude');

function file(text: string) {
  const settings: ClaudeSettings = JSON.parse(text);
  return { path: 'settings.json', real: 'settings.json', text, settings };
}

function wire(text: string, command = OWN): string {
  const before = file(text);
  const { hooks } = withHooks(before.settings, command);
  const after = withHooksIn(before, hooks);
  expect(JSON.parse(after).hooks).toEqual(hooks);
  return after;
}

function unwire(text: string): string {
  const before = file(text);
  return withHooksIn(before, withoutHooks(before.settings).hooks);
}

it('[GUARD-7] a person’s hooks keep their layout, also after GuardKit’s are removed', () => {
  const own = `{
    "hooks" : {"Stop": [{"hooks":[ {"type":"command",  "command":"beep", "timeout": 1e1} ]}],
       "Notification":[ ]}, "permissions": {}
}`;
  const wired = wire(own);
  expect(wired).toContain('[ {"type":"command",  "command":"beep", "timeout": 1e1} ]');
  expect(unwire(wired)).toBe(own.replace(',\n       "Notification":[ ]', ''));
});

it('[GUARD-7] installing hooks can be undone byte for byte, whatever hooks a person has', () => {
  const event = fc.constantFrom(...CLAUDE_EVENTS, 'Notification', 'PreCompact', '1', '__proto__');
  const handler = fc.record({ type: fc.constant('command'), command: fc.string(), timeout: fc.nat() });
  const group = fc.record({ matcher: fc.string(), hooks: fc.array(handler, { maxLength: 2 }) });
  const hooks = fc.dictionary(event, fc.array(group, { minLength: 1, maxLength: 2 }), { minKeys: 1 });
  const settings = fc.record({ model: fc.string(), hooks, x: fc.jsonValue() }, { requiredKeys: ['hooks'] });
  fc.assert(
    fc.property(settings, fc.constantFrom('', ' ', '  ', '\t'), (value, indent) => {
      const before = JSON.stringify(value, null, indent);
      expect(unwire(wire(before))).toBe(before);
      expect(unwire(wire(wire(before), SHARED))).toBe(before);
    }),
    { numRuns: runs(50) },
  );
});
