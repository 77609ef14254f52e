import { claudeCanBeStopped } from '../agents/claude.ts';
import { CLAUDE_EVENTS } from '../install/claude-settings.ts';
import type { DoctorCheck } from './doctor-check.ts';
import type { FoundWiring } from './find-wiring.ts';

const WIRE = 'Run `guardkit init --agent claude`.';
const REWIRE = 'Run `guardkit doctor --fix`.';

/** Whether what is written down would make Claude Code ask GuardKit about everything. That it does, only a try shows. */
export function examineWiring({ sources, hooks }: FoundWiring): DoctorCheck {
  const id = 'settings';
  const unreadable = sources.find(({ reading }) => !reading.ok);
  if (unreadable && !unreadable.reading.ok)
    return {
      id,
      outcome: 'fail',
      found: `${unreadable.path} cannot be used: ${unreadable.reading.why}`,
      hint: 'Put the file right: an agent may run without any of its hooks.',
    };
  const off = sources.find(({ reading }) => reading.ok && reading.file.settings.disableAllHooks === true);
  if (off)
    return {
      id,
      outcome: 'fail',
      found: `${off.path} has "disableAllHooks": true, so that no hook runs`,
      hint: 'Take that line out.',
    };
  const managed = sources.find(
    ({ scope, reading }) =>
      scope === 'managed' && reading.ok && reading.file.settings.allowManagedHooksOnly === true,
  );
  if (managed)
    return {
      id,
      outcome: 'fail',
      found: `${managed.path} lets only an administrator’s hooks run`,
      hint: 'Ask whoever manages this machine to add GuardKit’s hooks there.',
    };
  if (hooks.length === 0)
    return {
      id,
      outcome: 'fail',
      code: 'not-wired',
      found: 'no agent is wired: nothing asks GuardKit here',
      hint: WIRE,
    };
  const foreign = hooks.find(({ known }) => !known);
  if (foreign)
    return {
      id,
      outcome: 'fail',
      found: `in ${foreign.path}, ${foreign.event} does not run this GuardKit’s launcher but ${String(foreign.handler.command).slice(0, 200)}`,
      hint: `${REWIRE} If GUARDKIT_HOME was another folder when it was wired, set it to that one.`,
    };
  const missing = CLAUDE_EVENTS.filter((event) => !hooks.some((hook) => hook.event === event));
  if (missing.length > 0)
    return { id, outcome: 'fail', found: `not wired for ${missing.join(', ')}`, hint: REWIRE };
  const narrow = hooks.find(({ matcher }) => matcher !== '*');
  if (narrow)
    return {
      id,
      outcome: 'fail',
      found: `in ${narrow.path}, ${narrow.event} is wired for ${JSON.stringify(narrow.matcher)} only`,
      hint: REWIRE,
    };
  const lax = hooks.find(({ event, handler }) => claudeCanBeStopped(event) && handler.onFailure !== 'block');
  if (lax)
    return {
      id,
      outcome: 'fail',
      found: `in ${lax.path}, ${lax.event} goes ahead when its hook fails`,
      hint: REWIRE,
    };
  const files = [...new Set(hooks.map(({ path }) => path))];
  if (files.length > 1 && hooks.some(({ scope }) => scope === 'plugin'))
    return {
      id,
      outcome: 'pass',
      code: 'wired-twice',
      found: `${CLAUDE_EVENTS.length} events wired in ${files.join(' and ')}: each hook runs twice`,
      hint: 'Turn the plugin off, or take the hooks out of the settings with `guardkit uninstall`.',
    };
  return { id, outcome: 'pass', found: `${CLAUDE_EVENTS.length} events wired in ${files.join(' and ')}` };
}
