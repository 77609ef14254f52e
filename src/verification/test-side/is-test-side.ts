import { posix } from 'node:path';
import { isTestFile } from '../../domain/is-test-file.ts';

/** Fixtures, snapshots and support code lie with the tests. */
const FOLDERS =
  /(?:^|\/)(?:tests?|specs?|e2e|cypress|__tests__|__snapshots__|__fixtures__|__mocks__|__data__|fixtures|testdata|test[-_](?:data|fixtures|helpers?|utils?|support)|goldens?|cassettes)\//;
const NAMES =
  /^(?:conftest\.py|setup-?tests?\.[cm]?[jt]sx?|(?:jest|vitest|mocha|test)[._-]?setup\.[cm]?[jt]sx?|(?:test|spec)[._-]?(?:helpers?|utils?|support)\.\w+|.+\.(?:snap|golden)|.+\.(?:approved|expected)\.\w+)$/i;

/** Whether a file belongs to the tests by convention: tests, their helpers, fixtures, snapshots and set-up files. */
export function isTestSide(path: string): boolean {
  return isTestFile(path) || FOLDERS.test(path) || NAMES.test(posix.basename(path));
}
