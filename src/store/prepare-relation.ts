import { assertEntityId } from '../domain/entities/entity-id.ts';
import { formatGroup, parseGroup } from '../domain/entities/group.ts';
import { GuardKitError } from '../guardkit-error.ts';
import type { RelationInput } from './episode-store.ts';

/** A relation whose names are legal. */
export function prepareRelation(input: RelationInput): RelationInput {
  assertEntityId(input.from.id);
  assertEntityId(input.to.id);
  for (const { scope } of [input.from, input.to]) {
    if (scope !== '') parseGroup(formatGroup({ project: scope, name: 'features' }));
  }
  if (!/^[a-z][a-z0-9_]{0,60}$/.test(input.relation)) {
    throw new GuardKitError({
      code: 'relation.illegal',
      kind: 'input',
      message: `"${input.relation.slice(0, 60)}" is not a legal relation.`,
      hint: 'A relation is lower-case words joined by underscores, such as turn_of.',
    });
  }
  return input;
}
