import { GuardKitError } from '../../guardkit-error.ts';
import { didYouMean, nearestWord } from '../nearest-word.ts';

export type GroupScope = 'system' | 'project';
export type GroupHeading = 'System Knowledge' | 'Project Knowledge' | 'Decisions' | 'Learning';

interface GroupDeclaration {
  name: string;
  scope: GroupScope;
  heading: GroupHeading;
  /** Changed only by GuardKit's own code and by a person at a terminal. */
  controlled?: true;
}

/** Every group. A name may exist in both scopes: the project's group refines the system's. */
export const GROUPS: readonly GroupDeclaration[] = [
  { name: 'role_constraints', scope: 'system', heading: 'System Knowledge', controlled: true },
  { name: 'quality_gate_configs', scope: 'system', heading: 'System Knowledge', controlled: true },
  { name: 'implementation_modes', scope: 'system', heading: 'System Knowledge' },
  { name: 'guards', scope: 'system', heading: 'System Knowledge', controlled: true },
  { name: 'patterns', scope: 'system', heading: 'System Knowledge', controlled: true },
  { name: 'features', scope: 'project', heading: 'Project Knowledge', controlled: true },
  { name: 'architecture', scope: 'project', heading: 'Project Knowledge' },
  { name: 'quality_gate_configs', scope: 'project', heading: 'Project Knowledge', controlled: true },
  { name: 'evidence', scope: 'project', heading: 'Decisions', controlled: true },
  { name: 'guards', scope: 'project', heading: 'Decisions', controlled: true },
  { name: 'task_outcomes', scope: 'project', heading: 'Learning' },
  { name: 'failure_patterns', scope: 'project', heading: 'Learning', controlled: true },
  { name: 'failed_approaches', scope: 'project', heading: 'Learning' },
  { name: 'successful_fixes', scope: 'project', heading: 'Learning', controlled: true },
  { name: 'turn_states', scope: 'project', heading: 'Learning' },
  { name: 'traces', scope: 'project', heading: 'Learning', controlled: true },
  { name: 'patterns', scope: 'project', heading: 'Learning', controlled: true },
];

const BARE_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const PROJECT_ID = /^[A-Za-z0-9][A-Za-z0-9.-]*(?:_[A-Za-z0-9.-]+)*$/;
const MAX_LENGTH = 200;
const SEPARATOR = '__';

/** A group as it is stored: a bare system name, or `{project}__name`. */
export interface GroupRef {
  /** Empty for the system. */
  project: string;
  name: string;
}

export function isProjectId(text: string): boolean {
  return text.length <= 100 && PROJECT_ID.test(text);
}

export function parseGroup(group: string): GroupRef {
  const at = group.indexOf(SEPARATOR);
  const ref =
    at < 0 ? { project: '', name: group } : { project: group.slice(0, at), name: group.slice(at + 2) };
  const legal =
    group.length <= MAX_LENGTH && BARE_NAME.test(ref.name) && (at < 0 || isProjectId(ref.project));
  if (legal) return ref;
  throw new GuardKitError({
    code: 'group.illegal',
    kind: 'input',
    message: `"${group.slice(0, 80)}" is not a valid group name.`,
    hint: 'Use lower-case words joined by single underscores (turn_states), or {project}__turn_states.',
  });
}

export function formatGroup({ project, name }: GroupRef): string {
  return project === '' ? name : `${project}${SEPARATOR}${name}`;
}

export function projectGroup(project: string, name: string): string {
  const group = formatGroup({ project, name });
  parseGroup(group);
  return group;
}

export function isControlledGroup(ref: GroupRef): boolean {
  return GROUPS.some((group) => group.controlled === true && group.name === ref.name);
}

/** Expands a bare name from the command line to the declared system and project groups. */
export function expandGroup(text: string, project: string | undefined): string[] {
  const ref = parseGroup(text);
  if (ref.project !== '') return [text];
  const declared = GROUPS.filter((group) => group.name === ref.name);
  if (declared.length === 0) throw unknownGroup(text);
  return declared.flatMap((group) => {
    if (group.scope === 'system') return [group.name];
    return project === undefined ? [] : [projectGroup(project, group.name)];
  });
}

function unknownGroup(name: string): GuardKitError {
  const names = [...new Set(GROUPS.map((group) => group.name))].sort();
  const meant = nearestWord(name, names);
  return new GuardKitError({
    code: 'group.unknown',
    kind: 'input',
    message: `No such group: "${name}".`,
    hint: didYouMean(meant, '') || `Groups: ${names.join(', ')}.`,
  });
}
