import * as z from 'zod';
import { claudeCanBeStopped } from '../agents/claude.ts';
import type { HookCommand } from './hook-command.ts';

/** The events that GuardKit has a say in, or learns something from. */
export const CLAUDE_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'ConfigChange',
  'FileChanged',
  'SessionEnd',
] as const;

/** Seconds. Long enough for a busy ledger, short enough that a person sees what is wrong. */
const TIMEOUT = 60;

const handlerSchema = z.looseObject({ type: z.string().optional(), command: z.string().optional() });
const groupSchema = z.looseObject({ hooks: z.array(handlerSchema).optional() });
const settingsSchema = z.looseObject({
  hooks: z.record(z.string(), z.array(groupSchema)).optional(),
  disableAllHooks: z.boolean().optional(),
});

export type ClaudeSettings = z.infer<typeof settingsSchema>;

export type SettingsReading = { ok: true; settings: ClaudeSettings } | { ok: false; why: string };

/** Reads a settings file of Claude Code; an empty text is one without settings. */
export function readClaudeSettings(text: string): SettingsReading {
  if (text.trim() === '') return { ok: true, settings: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, why: 'it is no JSON' };
  }
  const parsed = settingsSchema.safeParse(value);
  return parsed.success
    ? { ok: true, settings: parsed.data }
    : {
        ok: false,
        why: `${parsed.error.issues[0]?.path.join('.') || 'it'}: ${parsed.error.issues[0]?.message}`,
      };
}

/** The settings with GuardKit's hooks in them, once, and everything else as it was. */
export function withHooks(settings: ClaudeSettings, { refusing, letting }: HookCommand): ClaudeSettings {
  const bare = withoutHooks(settings).hooks ?? {};
  const hooks = { ...bare };
  for (const event of CLAUDE_EVENTS)
    hooks[event] = [
      ...(bare[event] ?? []),
      {
        matcher: '*',
        hooks: [
          claudeCanBeStopped(event)
            ? { type: 'command', command: refusing, timeout: TIMEOUT, onFailure: 'block' }
            : { type: 'command', command: letting, timeout: TIMEOUT },
        ],
      },
    ];
  return { ...settings, hooks };
}

/** The settings without any hook of GuardKit's; groups and events that held nothing else go with them. */
export function withoutHooks(settings: ClaudeSettings): ClaudeSettings {
  const { hooks, ...rest } = settings;
  if (!hooks) return settings;
  const kept = Object.entries(hooks)
    .map(([event, groups]) => [event, groups.flatMap(withoutOurs)] as const)
    .filter(([, groups]) => groups.length > 0);
  return kept.length > 0 ? { ...rest, hooks: Object.fromEntries(kept) } : rest;
}

/** The events at which GuardKit is asked by these settings. */
export function hookedEvents(settings: ClaudeSettings): string[] {
  return Object.entries(settings.hooks ?? {})
    .filter(([, groups]) => groups.some(({ hooks = [] }) => hooks.some(isOurs)))
    .map(([event]) => event);
}

function withoutOurs(group: z.infer<typeof groupSchema>): z.infer<typeof groupSchema>[] {
  const hooks = group.hooks ?? [];
  const others = hooks.filter((handler) => !isOurs(handler));
  if (others.length === hooks.length) return [group];
  return others.length > 0 ? [{ ...group, hooks: others }] : [];
}

function isOurs({ command }: z.infer<typeof handlerSchema>): boolean {
  return command?.includes('guardkit-hook') ?? false;
}

export function settingsText(settings: ClaudeSettings): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}
