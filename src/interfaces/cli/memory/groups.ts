import { resolveGroups, visibleGroups, type Workspace } from '../../../config/project/workspace.ts';
import { isControlledGroup, parseGroup } from '../../../domain/entities/group.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { CliContext } from '../program/cli-command.ts';
import { requirePerson } from '../verification/person-name.ts';

export { resolveGroups, visibleGroups };

/** The one group to write to: the project's, where there is one of that name, else the system's. */
export function resolveTargetGroup(workspace: Workspace, name: string): string {
  const groups = resolveGroups(workspace, name);
  return groups.find((group) => parseGroup(group).project !== '') ?? groups[0] ?? name;
}

/** A line for answers that found nothing: whose groups were not looked at, and why. */
export function leftOut({ project }: Workspace): string[] {
  return project.known ? [] : [`Only the system groups were looked at: ${project.why}.`];
}

/** Controlled groups are for GuardKit's own code and for a person: a program is refused. */
export function assertMayChange(context: CliContext, groups: readonly string[], what: string): void {
  const controlled = controlledOf(groups);
  if (controlled.length === 0) return;
  const person = context.findPerson();
  if (person.present) return;
  throw new GuardKitError({
    code: 'group.controlled',
    kind: 'refused',
    message: `Only a person may ${what} ${controlled.join(', ')}, and ${person.why}.`,
    hint: 'Run the command yourself in a terminal outside any coding agent.',
  });
}

/** Asks the person whether a change is meant that only a person may make: of controlled groups, or of what is named. */
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
  const answer = await context.ask(`This will ${all.join(', and ')}. Type yes to go on: `);
  if (answer.trim().toLowerCase() === 'yes') return;
  throw new GuardKitError({
    code: 'answer.no',
    kind: 'refused',
    message: 'Nothing was changed: the answer was not yes.',
    hint: 'Run the command again and type yes to go on.',
  });
}

function controlledOf(groups: readonly string[]): string[] {
  return [...new Set(groups)].filter((group) => isControlledGroup(parseGroup(group)));
}
