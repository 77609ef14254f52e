import { ROLE_LISTS } from '../../../config/rule-files/project-rules.ts';
import {
  type ResolvedRole,
  type Role,
  resolveRoleConstraints,
} from '../../../rules/resolve-role-constraints.ts';
import type { RuleSources } from '../../../rules/rule-sources.ts';
import type { Report } from '../program/cli-command.ts';

export function explainRole(sources: RuleSources, role: Role): Report {
  const resolved = resolveRoleConstraints(sources, role);
  return { json: resolved.lists, text: describe(resolved) };
}

function describe({ role, lists, removed, unmatched }: ResolvedRole): string {
  const lines = [`What the ${role} must and must not do here`];
  for (const list of ROLE_LISTS) {
    lines.push('', `${list}:`);
    if (lists[list].length === 0) lines.push('  (none)');
    for (const { value, origin } of lists[list]) lines.push(`  ${value}  [${origin}]`);
    for (const one of removed.filter((entry) => entry.list === list)) {
      lines.push(`  removed: ${one.value}  [${one.origin}, removed by ${one.removedBy}]`);
    }
  }
  for (const { list, value, origin } of unmatched) {
    lines.push('', `${origin} removes from ${list} what is not there: ${value}`);
  }
  return lines.join('\n');
}
