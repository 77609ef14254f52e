import { isTooDeep } from '../../domain/json/json.ts';
import { isObject } from '../../domain/json/plain-shape.ts';

/** What an agent's program itself writes when a person chooses something, and what no guard stands on. */
const FREE_KEYS: readonly string[] = ['model', 'theme', 'effortLevel', 'verbose', 'alwaysThinkingEnabled'];

/**
 * Whether the settings of an agent changed only in what its program writes for a person in the middle of an action: what
 * they chose to be asked no more about. The guards judge an action whatever the agent's own permissions say.
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

/** An empty file has no settings, as one that is not there. */
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

/** Sorted, so that a program may write its keys in another order. */
function withoutChoices(settings: Settings): unknown {
  const { permissions, ...rest } = settings;
  const others = isObject(permissions) ? Object.entries(permissions).filter(([key]) => key !== 'allow') : [];
  const kept = Object.entries(rest).filter(([key]) => !FREE_KEYS.includes(key));
  return sorted([...kept, ...(others.length > 0 ? [['permissions', sorted(others)] as const] : [])]);
}

function sorted(entries: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  return [...entries].sort(([one], [two]) => (one < two ? -1 : 1));
}
