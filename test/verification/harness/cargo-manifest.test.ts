import { expect, it } from 'vitest';
import {
  listedTargets,
  withoutTargetsOf,
  withTestsListed,
} from '../../../src/verification/harness/cargo-manifest.ts';

const PACKAGE = '[package]\nname = "x"\n';
const LISTED = '[[test]]\nname = "a"\npath = "checks/a.rs"\n';

it('the base gets the tests that the candidate lists, unless the package is new', () => {
  expect(withTestsListed(PACKAGE, PACKAGE + LISTED)).toContain(LISTED.trim());
  expect(withTestsListed(PACKAGE + LISTED, PACKAGE + LISTED)).toBeUndefined();
  expect(withTestsListed('', PACKAGE + LISTED)).toBeUndefined();
});

it.each([
  ['a section', '[[bin]]\nname = "x"\npath = "engine/main.rs"\n'],
  ['an inline table', 'bin = [{ name = "x", path = "engine/main.rs" }]\n'],
  ['a dotted key', 'lib.path = "engine/lib.rs"\n'],
  ['an escaped path', '[lib]\npath = "\\u0065ngine/lib.rs"\n'],
  ['a long string', '[lib]\npath = """engine/lib.rs"""\n'],
])('an example next to a product that is listed as %s does not hide the product', (_how, product) => {
  const text = `${product}\n[[example]]\nname = "demo"\npath = "engine/demo.rs"\n`;
  const targetOf = listedTargets([{ path: 'Cargo.toml', text }]);
  expect(targetOf('engine/core.rs')).toBeUndefined();
});

it('a folder of examples without a product is not product code', () => {
  const text = `${PACKAGE}\n[[example]]\nname = "demo"\npath = "demos/demo.rs"\n`;
  expect(listedTargets([{ path: 'Cargo.toml', text }])('demos/shared.rs')).toBe('example');
});

it('the targets that a change adds can be taken out of its Cargo.toml', () => {
  const other =
    '[[example]]\nname = "demo"\npath = "tests/a.rs"\n\n[[bin]]\nname = "x"\npath = "tests/\\u0061.rs"\n';
  const own =
    '[[bin]]\nname = "y"\npath = "y.rs"\n\n[[example]]\nname = "z"\nrequired-features = ["z"]\n\n[dependencies]\nserde = "1"\n';
  const text = `${PACKAGE}\n${LISTED}\n${other}\n[[test]]\nname = "b"\n\n${own}`;
  const without = (base: string) =>
    withoutTargetsOf({ path: 'Cargo.toml', text }, base, (path) => path === 'tests/a.rs');
  expect(without(PACKAGE + LISTED)).toBe(`${PACKAGE}\n${LISTED}\n${own}`);
  expect(without(text)).toBeUndefined();
});
