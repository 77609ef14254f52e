import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { withoutWorld } from '../src/without-world.ts';

it.each([
  ['the environment', () => process.env.HOME],
  ['the folder', () => process.cwd()],
  ['the time', () => Date.now()],
  ['chance', () => Math.random()],
])('who asks for %s where nothing may depend on it is told so', (_what, ask) => {
  expect(() => withoutWorld(ask)).toThrow('when it is evaluated');
});

it('afterwards everything is as it was, also when something went wrong', () => {
  const before = [process.env, process.cwd(), homedir()];
  expect(() =>
    withoutWorld(() => {
      throw new Error('x');
    }),
  ).toThrow('x');
  expect([process.env, process.cwd(), homedir()]).toEqual(before);
  expect(process.env.PATH).toBeTypeOf('string');
});
