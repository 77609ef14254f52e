import { describe, expect, it } from 'vitest';
import { parseCargoTest } from '../../../src/verification/test-reports/cargo-test.ts';
import { cargoPlace, goPlace } from '../../../src/verification/test-reports/compiler-places.ts';
import { parseGoTest } from '../../../src/verification/test-reports/go-test.ts';

const GO_OUTPUT = `# example.com/calc [example.com/calc.test]
./add_test.go:9:12: not enough arguments in call to Add
	have (number, number)
	want (int, int, int)
./add_test.go:15:2: undefined: check
./add_test.go:15:2: undefined: check
{"Action":"output","Package":"example.com/calc","Output":"FAIL\\texample.com/calc [build failed]\\n"}
{"Action":"fail","Package":"example.com/calc"}
`;
const CARGO_OUTPUT = `   Compiling calc v0.1.0 (/work/calc)
error[E0061]: this function takes 3 arguments but 2 arguments were supplied
  --> tests/calc.rs:7:5
   |
7  |     add(a, b)
   |     ^^^------ argument #3 of type \`i32\` is missing
   |
note: function defined here
  --> src/lib.rs:1:8

error[E0425]: cannot find function \`half\` in this scope
  --> tests/calc.rs:12:16

error: could not compile \`calc\` (test "calc") due to 2 previous errors
`;

const brief = ({ file, line, column }: { file: string; line: number; column: number }) =>
  `${file}:${line}:${column}`;

describe('places that a compiler rejects', () => {
  it('are read from the output of go test, each once', () => {
    const parsed = parseGoTest(GO_OUTPUT);
    const [fault] = parsed.ok ? parsed.value.faults : [];
    expect(fault).toMatchObject({ code: 'not-compiled', package: 'example.com/calc' });
    expect(fault?.places?.map(brief)).toEqual(['./add_test.go:9:12', './add_test.go:15:2']);
    expect(fault?.places?.[1]?.message).toBe('undefined: check');
  });

  it('are read from the output of cargo, without the places of its notes', () => {
    const parsed = parseCargoTest(CARGO_OUTPUT);
    const faults = parsed.ok ? parsed.value.faults : [];
    expect(faults.flatMap(({ places = [] }) => places).map(brief)).toEqual([
      'tests/calc.rs:7:5',
      'tests/calc.rs:12:16',
    ]);
  });

  it('are limited in number and length', () => {
    const errors = Array.from(
      { length: 5000 },
      (_, at) => `error[E0061]: ${'x'.repeat(500)}\n  --> tests/calc.rs:${at + 1}:5`,
    );
    const parsed = parseCargoTest(`${errors.join('\n')}\nerror: could not compile \`calc\` due to errors\n`);
    const places = (parsed.ok ? parsed.value.faults : []).flatMap((fault) => fault.places ?? []);
    expect(places).toHaveLength(1000);
    expect(Math.max(...places.map(({ message }) => message.length))).toBe(300);
  });

  it.each([
    ['no column', './add_test.go:9: undefined'],
    ['an endless line', `${'a'.repeat(100_000)}.go:1:1: x`],
    ['a number that is too long', './add_test.go:99999999999:1: x'],
    ['a blank in the path', './a b_test.go:1:1: x'],
  ])('of Go need their usual form: %s', (_, line) => {
    expect(goPlace(line)).toBeUndefined();
  });

  it.each([
    ['another kind of file', '  --> src/lib.txt:1:1'],
    ['an endless line', `  --> ${'a'.repeat(100_000)}.rs:1:1`],
    ['text behind it', '  --> tests/a.rs:1:1 and more'],
  ])('of cargo need their usual form: %s', (_, line) => {
    expect(cargoPlace(line, '')).toBeUndefined();
  });
});
