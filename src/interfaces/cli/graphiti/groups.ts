import type { Workspace } from '../../../config/workspace.ts';
import {
  expandGroup,
  formatGroup,
  GROUPS,
  type GroupRef,
  isControlledGroup,
  parseGroup,
  projectGroup,
} from '../../../domain/group.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { CliContext } from '../cli-command.ts';

/** The groups that a word on the command line means here. */
export function resolveGroups({ project }: Workspace, name: string): string[] {
  const ref = parseGroup(name);
  if (ref.project !== '') return [knownProjectGroup(ref)];
  const groups = expandGroup(name, project.known ? project.id : undefined);
  if (groups.length > 0 || project.known) return groups;
  throw new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: `${name} belongs to a project, and ${project.why}.`,
    hint: project.hint,
  });
}

/** A group written in full, of this project or another; its name must be one that projects have. */
function knownProjectGroup(ref: GroupRef): string {
  const group = formatGroup(ref);
  if (expandGroup(ref.name, ref.project).includes(group)) return group;
  throw new GuardKitError({
    code: 'group.unknown',
    kind: 'input',
    message: `${ref.name} is a system group; projects have none of that name.`,
    hint: `Write ${ref.name}.`,
  });
}

/** The one group to write to: the project's, where there is one of that name, else the system's. */
export function resolveTargetGroup(workspace: Workspace, name: string): string {
  const groups = resolveGroups(workspace, name);
  return groups.find((group) => parseGroup(group).project !== '') ?? groups[0] ?? name;
}

/** Everything visible from here: the system's groups and this project's. */
export function visibleGroups({ project }: Workspace): string[] {
  return GROUPS.flatMap(({ name, scope }) => {
    if (scope === 'system') return [name];
    return project.known ? [projectGroup(project.id, name)] : [];
  });
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

/** Asks the person whether a change of controlled groups is meant. */
export async function confirmChange(
  context: CliContext,
  groups: readonly string[],
  what: string,
): Promise<void> {
  const controlled = controlledOf(groups);
  if (controlled.length === 0) return;
  assertMayChange(context, groups, what);
  const answer = await context.ask(`This will ${what} ${controlled.join(', ')}. Type yes to go on: `);
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
