import { expect, it } from 'vitest';
import { lazyStatements } from '../../../src/store/sqlite/statements.ts';

it('prepares a statement on first use, and only once', () => {
  const made: string[] = [];
  const statements = lazyStatements({
    one: () => made.push('one'),
    two: () => made.push('two'),
  });
  expect(made).toEqual([]);
  expect([statements.two, statements.two, statements.one]).toEqual([1, 1, 2]);
  expect(made).toEqual(['two', 'one']);
});

it('retries a statement that could not be prepared', () => {
  let tries = 0;
  const statements = lazyStatements({
    one: () => {
      tries += 1;
      if (tries === 1) throw new Error('no such table');
      return tries;
    },
  });
  expect(() => statements.one).toThrow('no such table');
  expect(statements.one).toBe(2);
});
