import { expect, it } from 'vitest';
import { adaptCode } from '../../../src/verification/test-side/adapt-code.ts';

/** The base's code with what the change has at these marks. */
function adapt(before: string, after: string, ...marks: string[]) {
  return adaptCode(
    before,
    after,
    marks.map((mark) => before.indexOf(mark)),
  );
}

it('takes over an argument, but not the expectation on the same line', () => {
  expect(adapt('check(add(1, 2), 3)', 'check(add(1, 2, 0), 4)', '), 3')).toBe('check(add(1, 2, 0), 3)');
});

it('takes over what is nearest to each place', () => {
  const before = 'got := Parse(x)\nif got != 3 {\n\tfail(got)\n}\n';
  const after = 'got, err := Parse(x)\nif err != nil || got != 4 {\n\tfail(got, err)\n}\n';
  expect(adapt(before, after, 'got :=', ')\n}')).toBe(
    'got, err := Parse(x)\nif got != 3 {\n\tfail(got, err)\n}\n',
  );
});

it('neither spaces nor comments nor texts that look like code are differences', () => {
  expect(adapt('a( "x, y" )  // one\nb(1)', 'a("x, y")\n// two\nb(1)', 'b')).toBeUndefined();
  expect(adapt('a("add(1)", `2`)', 'a("add(2)", `2`)', 'a(')).toBe('a("add(2)", `2`)');
});

it('takes over both ends of what surrounds a value', () => {
  expect(adapt('check(sum(x, 10), 25)', 'check(sum(x, Options{10}) >= 0)', '10')).toBe(
    'check(sum(x, Options{ 10}), 25)',
  );
});

it('has nothing to take over from the same code', () => {
  expect(adapt('a(1)', 'a(1)', 'a')).toBeUndefined();
});

it('two words that meet stay two words', () => {
  expect(adapt('(x)', '(mut x)', 'x')).toBe('(mut x)');
  expect(adapt('f(x)', 'f(&y)', 'x')).toBe('f(&y)');
});

it('code of thousands of lines takes no time to compare', () => {
  const rows = (value: (at: number) => number) =>
    Array.from({ length: 20_000 }, (_, at) => `{${value(at)}},`).join('\n');
  const found = adapt(
    rows((at) => at),
    rows((at) => at + 1),
    '{0}',
  );
  expect(found).toContain('{20000}');
});
