import { isTestFile } from '../domain/is-test-file.ts';
import type { PathChange } from '../platform/git-tree.ts';

/** Beside the tests themselves, what lies with them: fixtures, snapshots, support code. */
const WITH_TESTS =
  /(?:^|\/)(?:tests?|specs?|e2e|cypress|__tests__|__snapshots__|__fixtures__|__mocks__|fixtures|testdata)\//;

/** The changed files that can be put on the base without the change itself. */
export function testSideOf(changes: readonly PathChange[]): string[] {
  return changes
    .filter(({ path, change }) => change !== 'deleted' && (isTestFile(path) || WITH_TESTS.test(path)))
    .map(({ path }) => path);
}
