import { type Located, ROLE_LISTS, type RoleList } from '../config/rule-files/project-rules.ts';
import { DEFAULT_ROLE_CONSTRAINTS, type ROLES } from '../domain/entities/role-constraints.ts';
import { GuardKitError } from '../guardkit-error.ts';
import type { RuleSources } from './load-rule-sources.ts';
import { BUILT_IN, SYSTEM } from './sourced.ts';

export type Role = (typeof ROLES)[number];

export interface ResolvedRole {
  role: Role;
  lists: Record<RoleList, Located<string>[]>;
  /** Statements that the project removed, with their origin and the line that removes them. */
  removed: { list: RoleList; value: string; origin: string; removedBy: string }[];
  /** Removals that match no statement. */
  unmatched: { list: RoleList; value: string; origin: string }[];
}

/** A role's constraints in this project: the stored or built-in lists, with the project's additions and removals. */
export function resolveRoleConstraints(sources: RuleSources, role: Role): ResolvedRole {
  const stored = sources.system.roles.find((one) => one.role === role);
  const base = stored ?? DEFAULT_ROLE_CONSTRAINTS.find((one) => one.role === role);
  if (!base) throw unknownRole(role);
  const origin = stored ? SYSTEM : BUILT_IN;
  const overrides = sources.roleOverrides.filter((one) => one.role === role);
  const resolved: ResolvedRole = {
    role,
    lists: { must_do: [], must_not_do: [], ask_before: [], escalate_when: [] },
    removed: [],
    unmatched: [],
  };
  for (const list of ROLE_LISTS) {
    let statements: Located<string>[] = base[list].map((value) => ({ value, origin }));
    for (const { additions, removals } of overrides) {
      for (const removal of removals[list]) statements = remove(statements, removal, list, resolved);
      statements = add(statements, additions[list]);
    }
    resolved.lists[list] = statements;
  }
  return resolved;
}

function add(
  statements: readonly Located<string>[],
  additions: readonly Located<string>[],
): Located<string>[] {
  const all = [...statements];
  const present = new Set(statements.map(({ value }) => comparable(value)));
  for (const addition of additions) {
    const text = comparable(addition.value);
    if (!present.has(text)) all.push({ ...addition });
    present.add(text);
  }
  return all;
}

function remove(
  statements: readonly Located<string>[],
  removal: Located<string>,
  list: RoleList,
  resolved: ResolvedRole,
): Located<string>[] {
  const text = comparable(removal.value);
  const found = statements.filter(({ value }) => comparable(value) === text);
  if (found.length === 0) resolved.unmatched.push({ list, ...removal });
  resolved.removed.push(...found.map((one) => ({ list, ...one, removedBy: removal.origin })));
  return statements.filter((one) => !found.includes(one));
}

/** Editors differ in Unicode form and line wrapping; these do not make two statements different. */
function comparable(text: string): string {
  return text.normalize().trim().replace(/\s+/g, ' ').toLowerCase();
}

function unknownRole(role: string): GuardKitError {
  return new GuardKitError({
    code: 'role.unknown',
    kind: 'input',
    message: `Unknown role "${role}".`,
    hint: `Roles: ${DEFAULT_ROLE_CONSTRAINTS.map((one) => one.role).join(', ')}.`,
  });
}
