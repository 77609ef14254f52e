import { resolveGroups, visibleGroups, type Workspace } from '../../../config/project/workspace.ts';
import { isControlledGroup, parseGroup } from '../../../domain/entities/group.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { CliContext } from '../program/cli-command.ts';
import { requirePerson } from '../verification/person-name.ts';

export { resolveGroups, visibleGroups };

/** The group to write to: the project's if there is one of that name, else the system's. */
export function resolveTargetGroup(workspace: Workspace, name: string): string {
  const groups = resolveGroups(workspace, name);
  return groups.find((group) => parseGroup(group).project !== '') ?? groups[0] ?? name;
}

/** A note for empty results: which groups were not searched, and why. */
export function leftOut({ project }: Workspace): string[] {
  return project.known ? [] : [`Only system groups were searched: ${project.why}.`];
}

/** Only GuardKit's own code and a person may change controlled groups. */
export function assertMayChange(context: CliContext, groups: readonly string[], what: string): void {
  const controlled = controlledOf(groups);
  if (controlled.length === 0) return;
  const person = context.findPerson();
  if (person.present) return;
  throw new GuardKitError({
    code: 'group.controlled',
    kind: 'refused',
    message: `Only a person may ${what} ${controlled.join(', ')}, but ${person.why}.`,
    hint: 'Run the command yourself in a terminal outside any coding agent.',
  });
}

/** Asks the person to confirm a change of controlled groups or of the named records. */
export async function confirmChange(
  context: CliContext,
  groups: readonly string[],
  what: string,
  alsoAsked: readonly (string | undefined)[] = [],
): Promise<void> {
  const controlled = controlledOf(groups);
  const others = alsoAsked.filter((one) => one !== undefined);
  if (controlled.length === 0 && others.length === 0) return;
  assertMayChange(context, groups, what);
  for (const other of others) requirePerson(context, other);
  const all = [...(controlled.length > 0 ? [`${what} ${controlled.join(', ')}`] : []), ...others];
  const answer = await context.ask(`This will ${all.join(', and ')}. Type yes to continue: `);
  if (answer.trim().toLowerCase() === 'yes') return;
  throw new GuardKitError({
    code: 'answer.no',
    kind: 'refused',
    message: 'Cancelled; nothing changed.',
    hint: 'Run the command again and type yes.',
  });
}

function controlledOf(groups: readonly string[]): string[] {
  return [...new Set(groups)].filter((group) => isControlledGroup(parseGroup(group)));
}
