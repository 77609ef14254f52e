import * as z from 'zod';
import { claudeCanBeStopped } from '../agents/claude.ts';
import type { HookCommand, HookProgram } from './hook-launcher.ts';

/** The events that GuardKit handles. */
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

/** Seconds. Long enough for a busy ledger, short enough that a person notices a problem. */
const TIMEOUT = 60;

/** Seconds. When an agent of a driven session stops, its work is verified before the session continues. */
export const STOP_TIMEOUT = 3600;

/** The events with that timeout. */
export const STOP_EVENTS: readonly string[] = ['SubagentStop', 'Stop'];

const handlerSchema = z.looseObject({
  type: z.string().optional(),
  command: z.string().optional(),
  /** If present, the command is a program that is started without a shell. */
  args: z.array(z.string()).optional(),
  timeout: z.number().optional(),
  onFailure: z.string().optional(),
});
const groupSchema = z.looseObject({
  matcher: z.string().optional(),
  hooks: z.array(handlerSchema).optional(),
});
const settingsSchema = z.looseObject({
  hooks: z.record(z.string(), z.array(groupSchema)).optional(),
  disableAllHooks: z.boolean().optional(),
  /** Environment variables for the processes that the agent's program starts. */
  env: z.record(z.string(), z.unknown()).optional(),
  /** In an administrator's file: no other hooks run. */
  allowManagedHooksOnly: z.boolean().optional(),
});

export type ClaudeSettings = z.infer<typeof settingsSchema>;
export type HookHandler = z.infer<typeof handlerSchema>;
export type HookGroup = z.infer<typeof groupSchema>;

export type SettingsReading = { ok: true; settings: ClaudeSettings } | { ok: false; why: string };

/** Parses a settings file of Claude Code; an empty text has no settings. */
export function readClaudeSettings(text: string): SettingsReading {
  if (text.trim() === '') return { ok: true, settings: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, why: 'it is not valid JSON' };
  }
  const parsed = settingsSchema.safeParse(value);
  return parsed.success
    ? // Not the schema's output, which has its keys in another order.
      { ok: true, settings: value as ClaudeSettings }
    : {
        ok: false,
        why: `${parsed.error.issues[0]?.path.join('.') || 'it'}: ${parsed.error.issues[0]?.message}`,
      };
}

/** The settings with GuardKit's hooks, exactly once, and everything else unchanged. */
export function withHooks(settings: ClaudeSettings, command: HookCommand): ClaudeSettings {
  const bare = withoutHooks(settings).hooks ?? {};
  const hooks = { ...bare };
  for (const event of CLAUDE_EVENTS)
    hooks[event] = [...(bare[event] ?? []), { matcher: '*', hooks: [handlerFor(event, command)] }];
  return { ...settings, hooks };
}

function handlerFor(event: string, { refusing, letting, beginning }: HookCommand): HookHandler {
  if (claudeCanBeStopped(event))
    return {
      type: 'command',
      ...startedBy(refusing),
      timeout: STOP_EVENTS.includes(event) ? STOP_TIMEOUT : TIMEOUT,
      onFailure: 'block',
    };
  return { type: 'command', ...startedBy(event === 'SessionStart' ? beginning : letting), timeout: TIMEOUT };
}

function startedBy(command: string | HookProgram): { command: string; args?: string[] } {
  return typeof command === 'string' ? { command } : { command: command.command, args: [...command.args] };
}

/** Whether a hook runs exactly this command. */
export function runs({ command, args }: HookHandler, wanted: string | HookProgram): boolean {
  const words = startedBy(wanted);
  return command === words.command && JSON.stringify(args) === JSON.stringify(words.args);
}

/** The settings without GuardKit's hooks, and without groups and events that become empty. */
export function withoutHooks(settings: ClaudeSettings): ClaudeSettings {
  const { hooks, ...rest } = settings;
  if (!hooks) return settings;
  const kept = Object.entries(hooks)
    .map(([event, groups]) => [event, groups.flatMap(withoutOurs)] as const)
    .filter(([, groups]) => groups.length > 0);
  return kept.length > 0 ? { ...rest, hooks: Object.fromEntries(kept) } : rest;
}

export interface OwnHook {
  event: string;
  /** The tools it applies to; `*` for all. */
  matcher: string;
  handler: HookHandler;
}

/** GuardKit's own hooks in these settings. */
export function ownHooks(settings: ClaudeSettings): OwnHook[] {
  return Object.entries(settings.hooks ?? {}).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks = [] }) =>
      hooks.filter(isOurs).map((handler) => ({ event, matcher: matcher || '*', handler })),
    ),
  );
}

/** The events with a GuardKit hook. */
export function hookedEvents(settings: ClaudeSettings): string[] {
  return [...new Set(ownHooks(settings).map(({ event }) => event))];
}

function withoutOurs(group: HookGroup): HookGroup[] {
  const hooks = group.hooks ?? [];
  const others = hooks.filter((handler) => !isOurs(handler));
  if (others.length === hooks.length) return [group];
  return others.length > 0 ? [{ ...group, hooks: others }] : [];
}

function isOurs({ command }: HookHandler): boolean {
  return command?.includes('/bin/guardkit-hook') ?? false;
}

export function settingsText(settings: ClaudeSettings): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}
