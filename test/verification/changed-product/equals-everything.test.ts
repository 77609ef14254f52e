import { expect, it } from 'vitest';
import { equalToEverything } from '../../../src/verification/changed-product/equals-everything.ts';

const count = (path: string, text: string) => equalToEverything(path, text).length;
const python = (body: string) =>
  `class Rate:\n    def __eq__(self, other):\n        ${body}\n\n    def half(self):\n        return True\n`;
const go = (head: string, body: string) => `package calc\n\nfunc (r Rate) ${head} {\n\t${body}\n}\n`;
const rust = (head: string, body: string) =>
  `impl PartialEq for Rate {\n    fn eq(&self, ${head}: &Self) -> bool {\n        ${body}\n    }\n}\n`;

it('a method that compares without looking at the other value is found', () => {
  expect(count('calc/rate.py', python('return True'))).toBe(1);
  expect(
    count('calc/rate.py', python('"""Like other."""\n        return self.percent is not None or True')),
  ).toBe(1);
  expect(count('rate.go', go('Equal(o Rate) bool', 'return true'))).toBe(1);
  expect(count('rate.go', go('Equal(_ any) bool', 'return true'))).toBe(1);
  expect(count('src/rate.rs', rust('_other', 'true'))).toBe(1);
  expect(count('src/rate.ts', 'class Rate { asymmetricMatch() { return true; } }\n')).toBe(1);
});

it('a method that looks at it, or is equal to nothing, is not', () => {
  expect(count('calc/rate.py', python('return isinstance(other, Rate)'))).toBe(0);
  expect(count('calc/rate.py', python('return NotImplemented'))).toBe(0);
  expect(count('calc/rate.py', python('return self is other'))).toBe(0);
  expect(count('rate.go', go('Equal(o Rate) bool', 'return r == o'))).toBe(0);
  expect(count('rate.go', go('Equal(o Rate) bool', 'return false'))).toBe(0);
  expect(count('rate.go', go('IsEmpty(o Rate) bool', 'return true'))).toBe(0);
  expect(count('src/rate.rs', rust('other', 'self.0 == other.0 || true'))).toBe(0);
  expect(count('src/rate.ts', 'class Rate { equals(other) { return true; } }\n')).toBe(0);
  expect(count('README.md', python('return True'))).toBe(0);
});

it('one place is enough for each method', () => {
  expect(equalToEverything('calc/rate.py', python('return True'))[0]?.lines).toEqual([2, 3]);
});
