import { rmSync, symlinkSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { workingDigest } from '../../../src/verification/definition/acceptances.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());

it('an acceptance of a submodule is for its commit', () => {
  for (const name of ['shop', 'spec']) {
    sandbox.repository(name);
    sandbox.write(`${name}/a.txt`, 'a');
    sandbox.git(name, 'add', '.');
    sandbox.commit(name, 'Add');
  }
  const add = ['submodule', '--quiet', 'add', sandbox.path('spec'), 'spec'];
  sandbox.git('shop', '-c', 'protocol.file.allow=always', ...add);
  const digest = () => workingDigest(sandbox.path('shop/spec'));
  const before = digest();
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  sandbox.write('shop/spec/a.txt', 'b');
  expect(digest()).toBe(before);
  sandbox.git('shop/spec', 'add', '.');
  sandbox.commit('shop/spec', 'Change');
  expect(digest()).not.toBe(before);
  expect(workingDigest(sandbox.path('shop'))).toBeNull();
  expect(workingDigest(sandbox.path('shop/none'))).toBeNull();
});

it('an acceptance of a link is for its target', () => {
  const link = sandbox.path('link');
  symlinkSync('one', link);
  const before = workingDigest(link);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  rmSync(link);
  symlinkSync('two', link);
  expect(workingDigest(link)).not.toBe(before);
  rmSync(link);
});
