import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { locateCargoTests, locateGoTests } from '../../../src/verification/test-reports/locate-tests.ts';

const root = mkdtempSync(join(tmpdir(), 'guardkit-go-'));
const FILES = {
  'go.work': 'go 1.19\nuse (\n\t.\n\t./tools\n)\n',
  'go.mod': 'module example.com/m\n',
  'root_test.go': 'package m\nfunc TestRoot(t *testing.T) {}\n',
  'calc/add.go': 'package calc\n',
  'calc/add_test.go':
    'package calc\n// func TestNo(t)\nfunc TestAdd(t *testing.T) {}\nfunc ExampleAdd() {}\n',
  'calc/a_windows_test.go': 'package calc\nfunc TestSame(t *testing.T) {}\n',
  'calc/same_test.go': 'package calc_test\nfunc TestSame(t *testing.T) {}\nfunc FuzzSame(f *testing.F) {}\n',
  'tools/go.mod': 'module "example.com/m/tools"\n\ngo 1.19\n',
  'tools/gen/gen_test.go': 'package gen\nfunc TestAdd(t *testing.T) {}\n',
  'one/Cargo.toml': '',
  'one/tests/api.rs': '#[test]\nfn first() {}\n#[test]\nfn both() {}\n',
  'one/tests/only.rs': '',
  'two/Cargo.toml': '',
  'two/tests/api.rs': 'mod sub {\n    #[test]\n    fn second() {}\n}\n#[test]\nfn both() {}\n',
  'vendor/example.com/m/calc/go.mod': 'module example.com/m/calc\n',
};

beforeAll(() => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function fileOf(name: string, home: string): string | undefined {
  const report = {
    runner: 'go test',
    tests: [{ name, package: home, status: 'passed' as const }],
    faults: [],
  };
  return locateGoTests(root)(report).tests[0]?.file;
}

describe('the file of a Go test', () => {
  it.each([
    ['TestRoot', 'example.com/m', 'root_test.go'],
    ['TestAdd', 'example.com/m/calc', 'calc/add_test.go'],
    ['TestAdd > of two > negatives', 'example.com/m/calc', 'calc/add_test.go'],
    ['ExampleAdd', 'example.com/m/calc', 'calc/add_test.go'],
    ['FuzzSame > seed#0', 'example.com/m/calc', 'calc/same_test.go'],
    ['TestAdd', 'example.com/m/tools/gen', 'tools/gen/gen_test.go'],
  ])('%s of %s is the one that declares it', (name, home, file) => {
    expect(fileOf(name, home)).toBe(file);
  });

  it('is the one for this system if several declare the test', () => {
    expect(fileOf('TestSame', 'example.com/m/calc')).toBe('calc/same_test.go');
  });

  it('is unknown if nothing declares the test', () => {
    expect(fileOf('TestNo', 'example.com/m/calc')).toBeUndefined();
    expect(fileOf('TestAdd', 'example.com/other')).toBeUndefined();
    expect(fileOf('TestAdd', 'example.com/m/../../calc')).toBeUndefined();
  });

  it('of a compiler error is relative to the root of the tree', () => {
    const fault = {
      message: 'gen does not compile',
      file: './gen_test.go',
      package: 'example.com/m/tools/gen',
    };
    const { faults } = locateGoTests(root)({ runner: 'go test', tests: [], faults: [fault] });
    expect(faults).toEqual([{ ...fault, file: 'tools/gen/gen_test.go' }]);
  });
});

describe('the file of a Rust test in a workspace', () => {
  it.each([
    ['anything', 'tests/only.rs', 'one/tests/only.rs'],
    ['first', 'tests/api.rs', 'one/tests/api.rs'],
    ['sub > second', 'tests/api.rs', 'two/tests/api.rs'],
    ['both', 'tests/api.rs', 'tests/api.rs'],
    ['neither', 'tests/api.rs', 'tests/api.rs'],
  ])('%s in %s is the only one that declares it: %s', (name, file, expected) => {
    const tests = [{ name, file, status: 'passed' as const }];
    const report = locateCargoTests(root)({ runner: 'cargo test', tests, faults: [] });
    expect(report.tests[0]?.file).toBe(expected);
  });
});
