import { isTooDeep } from '../../domain/json/json.ts';
import { isObject } from '../../domain/json/plain-shape.ts';
import type { WatchedRow } from '../../store/ledger/tables/watch-tables.ts';
import { type Difference, wasThere } from '../watch/compare-area.ts';
import type { WatchArea } from '../watch/watch-areas.ts';
import { FOLDER_HASH } from '../watch/watched-file.ts';
import { isGitConfig, sameEffectiveSettings } from './effective-git-settings.ts';

export type Judgement =
  /** A folder: only its content counts. */
  | 'nothing'
  /** It changes nothing that takes effect. */
  | 'harmless'
  /** Only permission bits changed, and nothing became executable or stopped being so. */
  | 'mode'
  /** A temporary file of an interrupted restore. */
  | 'leftover'
  /** It may take effect; who made the change decides. */
  | 'effective';

/** The texts before and after; undefined if not kept. */
export interface DifferenceTexts {
  before: string | undefined;
  found: string | undefined;
}

const AGENT_SETTINGS = /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/;
const AGENT_STATE = '.claude.json';

/** Temporary names of `writeVersion`. */
const LEFTOVER = /(?:^|\/)\.guardkit\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/s;

/** Whether a difference in an effective file can take effect. Pure. */
export function judgeDifference(
  area: Pick<WatchArea, 'kind' | 'repository' | 'asAtHome'>,
  { path: given, before, found }: Difference,
  texts: DifferenceTexts,
): Judgement {
  const path = area.asAtHome?.(given) ?? given;
  if (found?.hash === FOLDER_HASH && !wasThere(before)) return 'nothing';
  if (!found && before?.hash === FOLDER_HASH) return 'nothing';
  if (found && before && found.hash === before.hash)
    return isRunByGit(area, path, before, found.mode) || isKeptFromRunning(area, before, found.mode)
      ? 'effective'
      : 'mode';
  if (!wasThere(before) && LEFTOVER.test(path)) return 'leftover';
  if (found && found.kind !== 'file') return 'effective';
  const old = texts.before ?? (wasThere(before) ? undefined : '');
  const now = texts.found ?? (found ? undefined : '');
  if (area.kind === 'home' && path === AGENT_STATE && found) {
    // A file too large to keep cannot be compared, and its program writes it constantly.
    if (old === undefined) return 'harmless';
    return now !== undefined && startsSamePrograms(old, now) ? 'harmless' : 'effective';
  }
  if (old === undefined || now === undefined) return 'effective';
  // Git rewrites it when a checkout replaces another one.
  if (area.kind === 'worktree' && path === '.git' && now.startsWith(`gitdir: ${area.repository}/worktrees/`))
    return 'harmless';
  if (isGitConfig(area, path))
    return found && sameEffectiveSettings(old, now, path) ? 'harmless' : 'effective';
  if (AGENT_SETTINGS.test(path)) return found && onlyPersonsChoices(old, now) ? 'harmless' : 'effective';
  return 'effective';
}

/** A git hook that became executable. */
function isRunByGit(area: Pick<WatchArea, 'kind'>, path: string, before: WatchedRow, mode: number): boolean {
  return (
    area.kind === 'repository' &&
    path.includes('hooks/') &&
    (before.mode & 0o111) === 0 &&
    (mode & 0o111) !== 0
  );
}

/** A launcher that is no longer executable. */
function isKeptFromRunning({ kind }: Pick<WatchArea, 'kind'>, before: WatchedRow, mode: number): boolean {
  return kind === 'launcher' && (before.mode & 0o111) !== 0 && (mode & 0o100) === 0;
}

/** Keys that an agent's program writes for a person's choices, and that no guard depends on. */
const FREE_KEYS: readonly string[] = ['model', 'theme', 'effortLevel', 'verbose', 'alwaysThinkingEnabled'];

/**
 * Whether an agent's settings changed only in what its program writes when a person chooses "don't ask again" during an
 * action. The guards judge every action regardless of the agent's own permissions.
 */
export function onlyPersonsChoices(before: string, after: string): boolean {
  const [old, now] = [parse(before), parse(after)];
  if (!old || !now) return false;
  const allowedBefore = allowed(old);
  const allowedNow = allowed(now);
  if (!allowedBefore || !allowedNow || !allowedBefore.every((rule) => allowedNow.includes(rule)))
    return false;
  return JSON.stringify(withoutChoices(old)) === JSON.stringify(withoutChoices(now));
}

type Settings = Record<string, unknown>;

/** An empty file counts as one without settings. */
function parse(text: string): Settings | undefined {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    return isObject(value) && !isTooDeep(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function allowed(settings: Settings): string[] | undefined {
  const permissions = settings.permissions ?? {};
  if (!isObject(permissions)) return undefined;
  const rules = permissions.allow ?? [];
  return Array.isArray(rules) && rules.every((rule) => typeof rule === 'string') ? rules : undefined;
}

/** Sorted, since a program may write its keys in another order. */
function withoutChoices(settings: Settings): unknown {
  const { permissions, ...rest } = settings;
  const others = isObject(permissions) ? Object.entries(permissions).filter(([key]) => key !== 'allow') : [];
  const kept = Object.entries(rest).filter(([key]) => !FREE_KEYS.includes(key));
  return sorted([...kept, ...(others.length > 0 ? [['permissions', sorted(others)] as const] : [])]);
}

function sorted(entries: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  return [...entries].sort(([one], [two]) => (one < two ? -1 : 1));
}

/** Keys of an agent's state file that decide which programs it starts, at the top and per project. */
const PROGRAM_KEYS: readonly string[] = [
  'mcpServers',
  'hooks',
  'env',
  'apiKeyHelper',
  'enabledMcpjsonServers',
  'disabledMcpjsonServers',
];

/**
 * Whether an agent's state file starts the same programs as before. The program rewrites the rest of the file all the time,
 * for every session of this person.
 */
export function startsSamePrograms(before: string, after: string): boolean {
  const [old, now] = [read(before), read(after)];
  return old !== undefined && old === now;
}

/** Undefined if an agent's program would not accept it. */
function read(text: string): string | undefined {
  try {
    const state: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (!isObject(state)) return undefined;
    const projects = isObject(state.projects) ? Object.entries(state.projects) : [];
    return JSON.stringify([
      programKeysOf(state),
      projects
        .map(([path, project]) => [path, programKeysOf(project)] as const)
        .filter(([, keys]) => keys.length > 0)
        .sort(([one], [two]) => (one < two ? -1 : 1)),
    ]);
  } catch {
    // Safe: an unreadable file equals no other.
    return undefined;
  }
}

function programKeysOf(state: unknown): (readonly [string, unknown])[] {
  if (!isObject(state)) return [];
  return PROGRAM_KEYS.filter((key) => Object.hasOwn(state, key) && !isEmpty(state[key])).map(
    (key) => [key, state[key]] as const,
  );
}

/** The program writes empty values for unset keys. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
