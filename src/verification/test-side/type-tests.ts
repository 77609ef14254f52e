import type { PathChange } from '../../platform/git/git-tree.ts';
import { isSource } from '../coverage/source-language.ts';

const TYPE_TEST =
  /[._-](?:test-d|tst)\.[cm]?tsx?$|(?:^|\/)(?:test-d|type-?tests?|types-?tests?)\/.*\.[cm]?tsx?$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;

/**
 * The type tests (of tsd, tstyche and the like) of a change whose only code is type declarations: they have no names, but
 * the test command fails if they do. Empty if the change has other code, which type tests do not run.
 */
export function findTypeTests(changes: readonly PathChange[]): string[] {
  const isOther = ({ path }: PathChange) =>
    isSource(path) && !DECLARATIONS.test(path) && !TYPE_TEST.test(path);
  if (changes.some(isOther) || !changes.some(({ path }) => DECLARATIONS.test(path))) return [];
  return changes
    .filter(({ path, change }) => change !== 'deleted' && TYPE_TEST.test(path) && !DECLARATIONS.test(path))
    .map(({ path }) => path);
}
