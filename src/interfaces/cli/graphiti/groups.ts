import type { Workspace } from '../../../config/workspace.ts';
import { expandGroup, GROUPS, isControlledGroup, parseGroup, projectGroup } from '../../../domain/group.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { CliContext } from '../cli-command.ts';

/** The groups that a word on the command line means here. */
export function resolveGroups({ project }: Workspace, name: string): string[] {
  const groups = expandGroup(name, project.known ? project.id : undefined);
  if (groups.length > 0 || project.known) return groups;
  throw new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: `${name} belongs to a project, and ${project.why}.`,
    hint: project.hint,
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

/** Controlled groups are for GuardKit's own code and for a person, who is asked by name. */
export async function requirePersonFor(
  context: CliContext,
  groups: readonly string[],
  what: string,
): Promise<void> {
  const controlled = [...new Set(groups.filter((group) => isControlledGroup(parseGroup(group))))];
  if (controlled.length === 0) return;
  const refusal = (why: string) =>
    new GuardKitError({
      code: 'group.controlled',
      kind: 'refused',
      message: `Only a person may ${what} ${controlled.join(', ')}, and ${why}.`,
      hint: 'Run the command yourself in a terminal outside any coding agent.',
    });
  const person = context.findPerson();
  if (!person.present) throw refusal(person.why);
  const answer = await context.ask(`This will ${what} ${controlled.join(', ')}. Type yes to go on: `);
  if (answer.trim().toLowerCase() !== 'yes') throw refusal('the answer was not yes');
}
