import { readFeatureList } from '../../domain/feature-list/feature-list.ts';
import type { Action, EditAction } from '../../guards/action.ts';
import type { Invocation } from '../../guards/command/command-analysis.ts';
import { gitCall } from '../../guards/git-call.ts';

export interface ProgramCall {
  program: string;
  subcommand: string | undefined;
  options: readonly string[];
  args: readonly string[];
}

export interface FieldChange {
  field: string;
  to: string | number | boolean;
}

/** The part of an attempt that a guard can match. */
export type AttemptFacet =
  | { kind: 'fields'; fields: readonly FieldChange[] }
  | { kind: 'edit' | 'read'; paths: readonly string[] }
  | { kind: 'command'; calls: readonly ProgramCall[] }
  | { kind: 'tool'; name: string };

/** From a recorded action. */
export function facetOfAction(action: Action): AttemptFacet | undefined {
  switch (action.kind) {
    case 'edit':
      return editFacet(action);
    case 'read':
      return pathFacet(
        'read',
        action.files.flatMap(({ inProject }) => inProject ?? []),
      );
    case 'command':
      return { kind: 'command', calls: action.analysis.invocations.map(programCall) };
    case 'tool':
      return { kind: 'tool', name: action.name };
    default:
      return undefined;
  }
}

/** From the description in a trace, if the action is no longer kept. */
export function facetOfWords(attempt: string): AttemptFacet | undefined {
  const at = attempt.indexOf(' ');
  const kind = attempt.slice(0, Math.max(0, at));
  const things = attempt
    .slice(at + 1)
    .split(', ')
    .filter((thing) => thing !== '');
  switch (kind) {
    case 'edit':
    case 'read':
      return pathFacet(
        kind,
        things.filter((thing) => !thing.startsWith('/')),
      );
    case 'command':
      return {
        kind,
        calls: things.map((thing) => {
          const [program = '', subcommand] = thing.split(' ');
          return { program, subcommand, options: [], args: [] };
        }),
      };
    case 'tool':
      return things[0] === undefined ? undefined : { kind, name: things[0] };
    default:
      return undefined;
  }
}

function editFacet({ files }: EditAction): AttemptFacet | undefined {
  const list = files.find(({ file }) => file.protectedAs === 'feature-list');
  const reading = list?.after === undefined ? undefined : readFeatureList(list.after);
  const fields = reading?.ok ? reading.list.features.flatMap(({ values }) => plainChanges(values)) : [];
  if (fields.length > 0) return { kind: 'fields', fields };
  return pathFacet(
    'edit',
    files.flatMap(({ file }) => file.inProject ?? []),
  );
}

function plainChanges(values: object): FieldChange[] {
  return Object.entries(values).flatMap(([field, to]) =>
    typeof to === 'string' || typeof to === 'number' || typeof to === 'boolean' ? [{ field, to }] : [],
  );
}

function pathFacet(kind: 'edit' | 'read', paths: readonly string[]): AttemptFacet | undefined {
  const named = paths.filter((path) => path !== '');
  return named.length === 0 ? undefined : { kind, paths: named };
}

function programCall(invocation: Invocation): ProgramCall {
  const call = gitCall(invocation);
  const words = call ? [call.subcommand, ...call.args] : invocation.argv.slice(1);
  const plain = words.filter((word) => !word.startsWith('-') && word !== '');
  return {
    program: invocation.program,
    subcommand: plain[0],
    options: words.filter((word) => word.startsWith('-')).map((word) => word.split('=')[0] ?? word),
    args: plain.slice(1),
  };
}
