import { expect, it } from 'vitest';
import { verifySchema } from '../../../src/config/project/verify-config.ts';

it.each([
  ['coverage/lcov.info', true],
  ['packages/*/coverage/lcov.info', true],
  ['**/lcov.info', true],
  ['coverage/*.info', false],
  ['packages/*', false],
  ['../lcov.info', false],
])('a coverage report is a file or a glob that names the file: %s', (report, isValid) => {
  expect(verifySchema.safeParse({ coverage: { report } }).success).toBe(isValid);
});
