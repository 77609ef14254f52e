import type { Feature } from '../entities/feature.ts';
import type { ListField } from './list-fields.ts';

/** The editor of the list: a person, or an agent by its type (undefined for the one that talks to a person). */
export type ListEditor =
  | { kind: 'person' }
  | {
      kind: 'agent';
      type: string | undefined;
      /** Types of subagents that act at the same time: any of them may have made the change. */
      beside?: readonly string[];
    };

/** Permissions of an editor of the list. Fields that GuardKit sets are never included. */
export interface ListRights {
  adds: boolean;
  removes: boolean;
  fields: 'all' | ReadonlySet<ListField>;
  /** Allowed changes of criteria: all, only additions, or none. */
  criteria: 'all' | 'add' | 'none';
  /** Allowed statuses. Only a person may change the status of a blocked feature. */
  statuses: 'all' | readonly Feature['status'][];
  /** The same for a feature that was just added. */
  newStatuses: 'all' | readonly Feature['status'][];
}

const NONE = { adds: false, removes: false, criteria: 'none', newStatuses: [] } as const;
const OPEN = ['pending', 'in_progress', 'completed'] as const;

const PERSON: ListRights = {
  adds: true,
  removes: true,
  fields: 'all',
  criteria: 'all',
  statuses: 'all',
  newStatuses: 'all',
};

/** The agent that talks to a person and delegates to the others. */
const ORCHESTRATING: ListRights = {
  ...NONE,
  adds: true,
  fields: new Set(['priority', 'notes']),
  statuses: OPEN,
  newStatuses: OPEN,
};

const INITIALIZER: ListRights = {
  ...NONE,
  adds: true,
  fields: new Set(['priority', 'notes', 'dependencies', 'files']),
  criteria: 'add',
  statuses: [],
  newStatuses: OPEN,
};

const CODING: ListRights = {
  ...NONE,
  fields: new Set(['notes', 'files']),
  statuses: ['in_progress', 'completed'],
};

const TESTER: ListRights = { ...NONE, fields: new Set(['notes']), statuses: [] };

const BY_TYPE: ReadonlyMap<string, ListRights> = new Map([
  ['initializer', INITIALIZER],
  ['tester', TESTER],
  ['coach', TESTER],
]);

export function rightsOf(editor: ListEditor): ListRights {
  if (editor.kind === 'person') return PERSON;
  return (editor.beside ?? []).map(rightsOfType).reduce(eitherOf, rightsOfType(editor.type));
}

function rightsOfType(type: string | undefined): ListRights {
  return type === undefined ? ORCHESTRATING : (BY_TYPE.get(bareAgentType(type)) ?? CODING);
}

/** Whether an agent type has no right that the other lacks. */
export function isWithinRights(type: string, of: string): boolean {
  const [own, other] = [rightsOfType(type), rightsOfType(of)];
  return own === other || JSON.stringify(plain(eitherOf(own, other))) === JSON.stringify(plain(other));
}

/** Sorted, for comparison. */
function plain({ fields, statuses, newStatuses, ...rest }: ListRights) {
  const sorted = (one: 'all' | Iterable<string>) => (one === 'all' ? one : [...one].sort());
  return { ...rest, fields: sorted(fields), statuses: sorted(statuses), newStatuses: sorted(newStatuses) };
}

function eitherOf(one: ListRights, other: ListRights): ListRights {
  if (one === other) return one;
  return {
    adds: one.adds || other.adds,
    removes: one.removes || other.removes,
    fields:
      one.fields === 'all' || other.fields === 'all' ? 'all' : new Set([...one.fields, ...other.fields]),
    criteria: [one.criteria, other.criteria].includes('add') ? 'add' : one.criteria,
    statuses: both(one.statuses, other.statuses),
    newStatuses: both(one.newStatuses, other.newStatuses),
  };
}

function both(one: ListRights['statuses'], other: ListRights['statuses']): ListRights['statuses'] {
  return one === 'all' || other === 'all' ? 'all' : [...new Set([...one, ...other])];
}

/** Agent types that change files. */
const CODING_TYPES: readonly string[] = ['coding', 'player'];

export function isCodingAgent(type: string | undefined): boolean {
  return type !== undefined && CODING_TYPES.includes(bareAgentType(type));
}

/** `guardkit:Tester-Agent` is a tester: plugin agents have the plugin's prefix, and ours end in -agent. */
export function bareAgentType(type: string): string {
  const name = type
    .slice(type.lastIndexOf(':') + 1)
    .trim()
    .toLowerCase();
  return name.replace(/[-_ ]agent$/, '');
}
