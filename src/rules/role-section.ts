import type { RoleList } from '../config/rule-files/project-rules.ts';
import { fitList } from './fit-list.ts';
import type { ResolvedRole } from './resolve-role-constraints.ts';

const LABELS: readonly (readonly [RoleList, string])[] = [
  ['must_do', 'You MUST'],
  ['must_not_do', 'You MUST NOT'],
  ['ask_before', 'ASK BEFORE'],
  ['escalate_when', 'ESCALATE when'],
];

/** The role's part of a prompt; empty if the role has no constraints at all. `budget` is in characters for each list. */
export function roleSection({ role, lists }: ResolvedRole, budget = Number.POSITIVE_INFINITY): string {
  const lines = LABELS.flatMap(([list, label]) => {
    // Each list is one line of the prompt, whatever line breaks its statements have.
    const statements = lists[list].map(({ value }) => value.trim().replace(/\s+/g, ' '));
    return statements.length === 0 ? [] : [`${label}: ${fitList(statements, ' | ', budget)}`];
  });
  if (lines.length === 0) return '';
  return [`## Your Role: ${role.charAt(0).toUpperCase()}${role.slice(1)}`, ...lines].join('\n');
}
