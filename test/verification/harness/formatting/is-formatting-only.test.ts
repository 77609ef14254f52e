import { describe, expect, it } from 'vitest';
import { isFormattingOnly } from '../../../../src/verification/harness/formatting/is-formatting-only.ts';

const CONFIG = `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/**/*.test.ts'], name: 'it\\'s', pattern: /a b/g, label: \`a b\` },
  // keep
  plugins: [one(), two({ a: 1 })]
})
`;
const FORMATTED = `import { defineConfig } from "vitest/config";
export default defineConfig({
	test: {
		include: ["test/**/*.test.ts"],
		name: "it's",
		pattern: /a b/g,
		label: \`a b\`,
	},
	// keep
	plugins: [one(), two({ a: 1 })],
});
`;

it('a formatter changes quotes, spacing, semicolons and trailing commas', () => {
  expect(isFormattingOnly('vitest.config.ts', CONFIG, FORMATTED)).toBe(true);
  expect(isFormattingOnly('vitest.config.ts', FORMATTED, CONFIG)).toBe(true);
});

describe('a JavaScript file is the same program', () => {
  it.each([
    ['a()\nb()', 'a();\nb();'],
    ['a = {}\nb()', 'a = {};\nb();'],
    ['f(() => { a() })', 'f(() => {\n  a();\n});'],
    ['[a, b]', '[\n  a,\n  b,\n];'],
    ['/* x\n   y */ a', '/* x\ny */\na;'],
    ['x = \'say "a"\'', 'x = "say \\"a\\""'],
    ['a / b / c', 'a/b/c'],
  ])('%j and %j', (before, after) => {
    expect(isFormattingOnly('a.js', before, after)).toBe(true);
    expect(isFormattingOnly('a.js', after, before)).toBe(true);
  });
});

describe('a JavaScript file is another program', () => {
  it.each([
    ['return a', 'return\na'],
    ['return a', 'return\u2028a'],
    ['a // b c\nd', 'a // b\u2028c\nd'],
    ['a\n(b)', 'a;\n(b)'],
    ['a\n[b].c()', 'a;\n[b].c()'],
    ['a\n+b', 'a;\n+b'],
    ['a\n`b`', 'a;\n`b`'],
    ['if (a) b()', 'if (a); b()'],
    ['if (a)\nb()', 'if (a);\nb()'],
    ['while (a)\nb()', 'while (a);\nb()'],
    ['if (a) {} else\nb()', 'if (a) {} else;\nb()'],
    ['[,]', '[]'],
    ['[a,,]', '[a,]'],
    ['a + +b', 'a ++ b'],
    ['a\n++b', 'a++\nb'],
    ["x = 'a b'", "x = 'a  b'"],
    ['x = `a b`', 'x = `a  b`'],
    ['x = /a b/', 'x = /a  b/'],
    ["x = 'a'", 'x = a'],
    ["x = 'a'", 'x = `a`'],
    ['x = "\\n"', 'x = "n"'],
    ['{ a: 1, b: 2 }', '{ b: 2, a: 1 }'],
    ['// a\nb', 'b'],
    ['b', '/* istanbul ignore file */ b'],
    ['for (a; b; c) d', 'for (a; b c) d'],
    ['class A { get\nx() {} }', 'class A { get;\nx() {} }'],
    ['a < !--b', 'a <!--b'],
    ['f(/* a */ b)', 'f(b /* a */)'],
    ['x = <a> b </a>', 'x = <a>b</a>'],
    ["'unclosed", '"unclosed'],
  ])('%j and %j', (before, after) => {
    expect(isFormattingOnly('a.js', before, after)).toBe(false);
    expect(isFormattingOnly('a.js', after, before)).toBe(false);
  });
});

describe('other files', () => {
  it.each([
    ['.mocharc.json', '{"spec": ["a"]}', '{\n  "spec": [\n    "a"\n  ]\n}\n'],
    ['tsconfig.json', '{ /* a */ "x": [1, 2] }', '{\n  /* a */\n  "x": [1, 2,],\n}\n'],
    ['Cargo.toml', '[lib]\na=["x",\n"y"]\nb = \'z\'', '[lib]\n\na = ["x", "y",] # why\nb = "z"\n'],
    ['.mocharc.yml', 'spec: a\n', 'spec: a   \n\n'],
  ])('%s may be formatted', (path, before, after) => {
    expect(isFormattingOnly(path, before, after)).toBe(true);
  });

  it.each([
    ['.mocharc.json', '{"a": 1, "b": 2}', '{"b": 2, "a": 1}'],
    ['.mocharc.json', '{"spec": ["a"]}', '{"spec": ["b"]}'],
    ['Cargo.toml', '[a]\nb = 1', '[a]\nb = 2'],
    ['Cargo.toml', 'a = "x y"', 'a = "x  y"'],
    ['Cargo.toml', 'a = "\\\\n"', "a = '\\\\n'"],
    ['Cargo.toml', 'a = [""]', 'a = ["",""]'],
    ['pyproject.toml', 'a = """\nb\n"""', 'a = """\n\nb\n"""'],
    ['.mocharc.yml', "run: echo 'a'\n", 'run: echo "a"\n'],
    ['.mocharc.yml', 'a:\n  b: 1\n', 'a:\nb: 1\n'],
    ['.mocharc.yml', 'a: |\n  b\n', 'a: |\n  b \n'],
    ['Makefile', 'test:\n\ta', 'test:\n\ta '],
    ['vitest.config.tsx', 'a', 'a;'],
  ])('%s is changed from %j to %j', (path, before, after) => {
    expect(isFormattingOnly(path, before, after)).toBe(false);
  });
});
