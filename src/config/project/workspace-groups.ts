import {
  expandGroup,
  formatGroup,
  GROUPS,
  type GroupRef,
  parseGroup,
  projectGroup,
} from '../../domain/entities/group.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Workspace } from './workspace.ts';

/** The groups that a word means here. */
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

/** Everything visible from here: the system's groups and this project's. */
export function visibleGroups({ project }: Workspace): string[] {
  return GROUPS.flatMap(({ name, scope }) => {
    if (scope === 'system') return [name];
    return project.known ? [projectGroup(project.id, name)] : [];
  });
}
