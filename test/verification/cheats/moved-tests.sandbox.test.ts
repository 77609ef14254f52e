import { expect } from 'vitest';
import { further } from '../../support/thorough.ts';
import { gate } from '../../support/verified-project.ts';
import { changedProject } from '../honest/honest-change.ts';

/** Fails next to a second test file, as a test that is declared twice does not compile in other languages. */
const LONELY = `import test from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { add } from '../src/add.js';

test('adds', () => assert.equal(add(1, 2), 3));
test('is the only test file', () => {
  assert.equal(readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.test.js')).length, 1);
});
`;

further(
  'tests that were only moved do not show the change: on the base they replace the ones they come from',
  async ({ onTestFinished }) => {
    const project = changedProject({
      name: 'moved',
      base: { 'test/add.test.js': LONELY },
      files: {
        'test/add.test.js': null,
        'test/sum.test.js': LONELY,
        'src/add.js': 'export const add = (a, b) => b + a;\n',
      },
    });
    onTestFinished(() => project.cleanup());
    const { json } = await project.verify();
    expect(gate(json, 'new-tests-bite')).toMatchObject({ result: 'fail', code: 'pass-without-change' });
  },
);
