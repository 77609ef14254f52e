import { describe, expect, it } from 'vitest';
import { findProductCode } from '../../../src/verification/coverage/product-code.ts';

type Files = Record<string, string>;

/** Why the changed files of a tree are left out; every line of a file that the base lacks is changed. */
function leftOut(
  files: Files,
  {
    base = {},
    changed = Object.keys(files),
    ...options
  }: { base?: Files; changed?: string[]; include?: string[]; exclude?: string[] } = {},
): Record<string, string> {
  const all: Files = { ...base, ...files };
  const product = findProductCode({
    files: new Set(Object.keys(all)),
    baseFiles: new Set(Object.keys(base)),
    changed: new Map(changed.map((path) => [path, changedLines(base[path], all[path] ?? '')])),
    readText: (path) => all[path],
    ...options,
  });
  return Object.fromEntries(
    changed.flatMap((path) => {
      const why = product.whyLeftOut(path);
      return why === undefined ? [] : [[path, why]];
    }),
  );
}

function changedLines(before: string | undefined, after: string): Set<number> {
  const old = before?.split('\n') ?? [];
  return new Set(after.split('\n').flatMap((line, at) => (old[at] === line ? [] : [at + 1])));
}

const NOT_PRODUCT: Record<string, string> = {
  'benchmark/index.js': 'benchmark',
  'perf-testing/run.mjs': 'benchmark',
  'fuzz/fuzz_targets/parse.rs': 'test',
  'test-apps/one/app.rs': 'test',
  'flow-typed/npm/jest_v24.x.x.js': 'type declarations',
  'Herebyfile.mjs': 'build script',
  'benches/parse.rs': 'benchmark',
  'src/sort.bench.ts': 'benchmark',
  'docs/conf.py': 'documentation',
  'website/src/pages/index.tsx': 'documentation',
  'src/Button.stories.tsx': 'documentation',
  'test/fixtures/nested.ts': 'fixture',
  'pkg/testdata/main.go': 'fixture',
  'src/__mocks__/fs.js': 'fixture',
  'testing/data/E21.py': 'fixture',
  'test/helpers.js': 'test',
  'tests/conftest.py': 'test',
  'conftest.py': 'test',
  'src/a.spec.ts': 'test',
  'internal/testutil/db.go': 'test',
  'src/test/java/com/x/ATest.java': 'test',
  'index.test-d.ts': 'test',
  'types/index.tst.ts': 'test',
  'test.node.js': 'test',
  'vitest.config.ts': 'configuration',
  '.eslintrc.js': 'configuration',
  'webpack.prod.js': 'configuration',
  'packages/x/jest.config.cjs': 'configuration',
  '.storybook/main.js': 'configuration',
  'gulpfile.js': 'build script',
  'Gruntfile.js': 'build script',
  'setup.py': 'build script',
  'noxfile.py': 'build script',
  'build.rs': 'build script',
  'build.gradle.kts': 'build script',
  'scripts/release.mjs': 'repository script',
  'tools/gen.go': 'repository script',
  'examples/hello.js': 'example',
  'benchmark.js': 'benchmark',
  'bench.py': 'benchmark',
  'benchmark-parse.mjs': 'benchmark',
  'test-performance.js': 'test',
  'typescript_test/extended.ts': 'test',
  'packages/x/examples/a.ts': 'example',
  'app/migrations/0002_user.py': 'migration',
  'db/migrations/20240101120000_users.js': 'migration',
  'types/index.d.ts': 'type declarations',
  'mod/x_windows.go': expect.any(String),
};

const PRODUCT = [
  'index.js',
  'src/index.ts',
  'src/app.config.ts',
  'src/docs/page.ts',
  'src/examples/list.ts',
  'lib/scripts/run.js',
  'calc/examples.py',
  'calc/scripts/convert.py',
  'calc/__init__.py',
  'calc/setup.py',
  'cmd/tool/main.go',
  'internal/bench/timer.go',
  'bin/cli.js',
  'app/migrations/helpers.py',
  'src/main.rs',
  'mod/x_linux.go',
  'testing.py',
  'src/contest.js',
];

describe('product code', () => {
  it('is recognized by the conventions of each ecosystem', () => {
    const files = Object.fromEntries([...Object.keys(NOT_PRODUCT), ...PRODUCT].map((path) => [path, 'x']));
    expect(leftOut({ ...files, 'packages/x/package.json': '{}' })).toEqual(NOT_PRODUCT);
  });

  it('includes and excludes what the configuration lists', () => {
    const files = { 'scripts/a.js': '', 'src/legacy/b.js': '', 'src/c.js': '' };
    expect(leftOut(files, { include: ['scripts/**'], exclude: ['src/legacy/**'] })).toEqual({
      'src/legacy/b.js': expect.stringContaining('coverage.exclude'),
    });
  });

  it.each<[string, Files, string[]]>([
    [
      'an import',
      { 'src/a.js': "import x from '../examples/x.js';", 'examples/x.js': '' },
      ['examples/x.js'],
    ],
    [
      'an import without an extension',
      { 'src/a.ts': "export * from '../test/x';", 'test/x.ts': '' },
      ['test/x.ts'],
    ],
    ['a call of require', { 'index.js': "require('./docs')", 'docs/index.js': '' }, ['docs/index.js']],
    [
      'a settings file by name',
      { 'index.js': "import './logic.config.js'", 'logic.config.js': '' },
      ['logic.config.js'],
    ],
    [
      'a chain of imports',
      { 'index.js': "import './examples/a.js'", 'examples/a.js': "import './b.js'", 'examples/b.js': '' },
      ['examples/a.js', 'examples/b.js'],
    ],
    [
      'a computed import',
      { 'src/a.js': 'import(`../fixtures/${name}.js`)', 'fixtures/x.js': '' },
      ['fixtures/x.js'],
    ],
    [
      'a joined path',
      { 'a.js': "require(path.join(__dirname, 'examples', 'x.js'))", 'examples/x.js': '' },
      ['examples/x.js'],
    ],
    ['an alias', { 'src/a.ts': "import '@/benchmark/x'", 'benchmark/x.ts': '' }, ['benchmark/x.ts']],
    [
      'an entry point',
      { 'package.json': '{"bin":{"x":"./scripts/x.js"}}', 'scripts/x.js': '' },
      ['scripts/x.js'],
    ],
    [
      'the program that is started',
      { 'package.json': '{"scripts":{"start":"node tools/s.js"}}', 'tools/s.js': '' },
      ['tools/s.js'],
    ],
    [
      'a module of Python',
      { 'calc/a.py': 'from examples.core import run\n', 'examples/core.py': '' },
      ['examples/core.py'],
    ],
    [
      'a name from a package of Python',
      { 'calc/a.py': 'from tests import helpers\n', 'tests/helpers.py': '' },
      ['tests/helpers.py'],
    ],
    [
      'a relative module of Python',
      { 'calc/a.py': 'from .fixtures import x\n', 'calc/fixtures/x.py': '' },
      ['calc/fixtures/x.py'],
    ],
    [
      'a module by its name',
      { 'a.py': 'import_module("docs.conf")\n', 'docs/conf.py': '' },
      ['docs/conf.py'],
    ],
    ['a sibling module', { 'a.py': 'import noxfile\n', 'noxfile.py': '' }, ['noxfile.py']],
    [
      'a program of a Python package',
      { 'pyproject.toml': '[project.scripts]\nx = "scripts.run:main"\n', 'scripts/run.py': '' },
      ['scripts/run.py'],
    ],
    [
      'a package of Go',
      { 'main.go': 'import "example.com/m/examples/x"', 'examples/x/a.go': '' },
      ['examples/x/a.go'],
    ],
    [
      'a path of Rust',
      { 'src/lib.rs': '#[path = "../benches/x.rs"]\nmod x;', 'benches/x.rs': '' },
      ['benches/x.rs'],
    ],
  ])('includes a file elsewhere that it reaches by %s', (_, files, product) => {
    expect(leftOut(files, { changed: product })).toEqual({});
  });

  it('excludes files that only tests, examples or texts name', () => {
    expect(
      leftOut({
        'examples/a.js': '',
        'test/a.test.js': "import '../examples/a.js'",
        'vitest.config.js': "export default { setup: './examples/a.js' }",
        'src/help.js': "console.log('see examples/a')",
        'pyproject.toml': '[tool.coverage.run]\nomit = ["docs.conf"]\n',
        'docs/conf.py': '',
      }),
    ).toEqual({
      'examples/a.js': 'example',
      'test/a.test.js': 'test',
      'vitest.config.js': 'configuration',
      'docs/conf.py': 'documentation',
    });
  });

  it('excludes Go programs for `go generate`, which no build contains', () => {
    const file = (constraint: string, home: string) => `//go:build ${constraint}\n\npackage ${home}\n`;
    const files = {
      'gen_a.go': file('generate', 'main'),
      'gen_b.go': file('ignore', 'main'),
      'part.go': file('generate', 'calc'),
      'fast.go': file('fast', 'main'),
    };
    expect(leftOut(files)).toEqual({ 'gen_a.go': expect.any(String), 'gen_b.go': expect.any(String) });
  });

  it('excludes an internal Go package that only tests import', () => {
    const files = {
      'go.mod': 'module example.com/m\n',
      'm.go': 'package m\n\nimport "example.com/m/internal/core"\n',
      'm_test.go': 'package m\n\nimport (\n\t"testing"\n\n\tsuite "example.com/m/internal/m-test"\n)\n',
      'internal/core/core.go': 'package core\n',
      'internal/m-test/runner.go': 'package mtest\n',
      'internal/unused/unused.go': 'package unused\n',
    };
    expect(leftOut(files)).toEqual({ 'internal/m-test/runner.go': 'test', 'm_test.go': 'test' });
    const used = { ...files, 'more.go': 'package m\n\nimport "example.com/m/internal/m-test"\n' };
    expect(leftOut(used)).toEqual({ 'm_test.go': 'test' });
  });

  it.each([
    ['text that names its folder', 'calc/build.py', "name = ''.join(['calc', dot, part])\n"],
    ['path of its folder', 'calc/load.py', "find(os.path.join('calc', name))\n"],
  ])('excludes tests for a joined %s', (_, path, text) => {
    expect(leftOut({ [path]: text, 'calc/tests/test_add.py': '' })).toEqual({
      'calc/tests/test_add.py': 'test',
    });
  });

  it('excludes tests next to files that it imports by their folder', () => {
    const files = {
      'main.go': 'import "example.com/m/middleware"',
      'middleware/log.go': '',
      'middleware/log_test.go': '',
      'src/load.js': 'import(`./locale/${name}.js`)',
      'src/locale/de.js': '',
      'src/locale/de.test.js': '',
    };
    expect(leftOut(files)).toEqual({ 'middleware/log_test.go': 'test', 'src/locale/de.test.js': 'test' });
    const named = { ...files, 'src/load.js': 'import(`./locale/${name}.test.js`)' };
    expect(leftOut(named)).toEqual({ 'middleware/log_test.go': 'test' });
  });

  it('includes code newly marked as generated, but not code marked on the base', () => {
    const mark = '// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n';
    expect(leftOut({ 'a.pb.go': mark }, { changed: ['a.pb.go'] })).toEqual({});
    expect(leftOut({ 'a.go': mark }, { base: { 'a.go': 'package a\n' }, changed: ['a.go'] })).toEqual({});
    expect(leftOut({ 'a.pb.go': `${mark}x\n` }, { base: { 'a.pb.go': mark }, changed: ['a.pb.go'] })).toEqual(
      {
        'a.pb.go': 'generated',
      },
    );
    const python = '# -*- coding: utf-8 -*-\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n';
    expect(
      leftOut({ 'a_pb2.py': `${python}x\n` }, { base: { 'a_pb2.py': python }, changed: ['a_pb2.py'] }),
    ).toEqual({
      'a_pb2.py': 'generated',
    });
  });

  it('includes build output and vendored code only if the base has none', () => {
    const files = { 'dist/index.js': 'x', 'vendor/m/a.go': 'x' };
    expect(leftOut(files)).toEqual({});
    const base = { 'dist/other.js': '', 'vendor/modules.txt': '' };
    expect(leftOut(files, { base, changed: Object.keys(files) })).toEqual({
      'dist/index.js': 'build output',
      'vendor/m/a.go': 'vendored',
    });
  });
});

describe('a program of the package', () => {
  const base = {
    'package.json': '{"bin": {"tool": "./bin/tool.js"}}',
    'bin/tool.js': 'old',
    'bin/other.js': 'old',
    'test/cli.test.js': "spawn(join(__dirname, '../bin/tool.js')); load('../bin/other.js')",
  };
  const started = (files: Files, before: Files) => {
    const all = { ...before, ...files };
    const { isStarted } = findProductCode({
      files: new Set(Object.keys(all)),
      baseFiles: new Set(Object.keys(before)),
      changed: new Map(Object.keys(files).map((path) => [path, new Set([1])])),
      readText: (path) => all[path as keyof typeof all],
    });
    return Object.keys(files).filter(isStarted);
  };

  it('is one that tests name, if the base has it', () => {
    expect(started({ 'bin/tool.js': 'new', 'bin/other.js': 'new' }, base)).toEqual(['bin/tool.js']);
    expect(started({ 'bin/tool.js': 'new' }, { ...base, 'test/cli.test.js': '' })).toEqual([]);
    const { 'bin/tool.js': _, ...without } = base;
    expect(started({ 'bin/tool.js': 'new' }, without)).toEqual([]);
  });
});

describe('targets that a Cargo.toml lists by path', () => {
  const manifest = (...targets: readonly [string, string][]) =>
    `[package]\nname = "calc"\n\n[lib]\npath = "code/lib.rs"\n${targets.map(([name, path]) => `\n[[${name}]]\nname = "x"\npath = "${path}"\n`).join('')}`;

  it('are not product code, nor is the rest of their folder', () => {
    const files = {
      'Cargo.toml': manifest(['test', 'checks/add.rs'], ['bench', 'speed/add.rs'], ['test', 'root.rs']),
      'checks/add.rs': '',
      'checks/common/mod.rs': '',
      'speed/add.rs': '',
      'root.rs': '',
      'other.rs': '',
      'code/lib.rs': '',
    };
    expect(leftOut(files)).toEqual({
      'checks/add.rs': 'test',
      'checks/common/mod.rs': 'test',
      'speed/add.rs': 'benchmark',
      'root.rs': 'test',
    });
  });

  it('are product code in a folder of product code of any package, or if the product uses them', () => {
    const files = {
      'Cargo.toml': manifest(
        ['test', 'code/hidden.rs'],
        ['test', 'code/deep/hidden.rs'],
        ['example', 'crates/core/src/hidden.rs'],
        ['test', 'checks/used.rs'],
      ),
      'crates/core/Cargo.toml': '[package]\nname = "core"\n',
      'crates/core/src/hidden.rs': '',
      'code/lib.rs': '#[path = "../checks/used.rs"]\nmod used;\n',
      'code/hidden.rs': '',
      'code/deep/hidden.rs': '',
      'checks/used.rs': '',
    };
    expect(leftOut(files)).toEqual({});
  });

  it.each([
    ['by its path', '#[path = "../engine/core.rs"]\nmod core;\n'],
    ['as text', 'include!(concat!(env!("CARGO_MANIFEST_DIR"), "/engine/core.rs"));\n'],
  ])('are product code with all their modules if the product includes them %s', (_how, text) => {
    const files = {
      'Cargo.toml': '[package]\nname = "x"\n\n[[example]]\nname = "demo"\npath = "engine/demo.rs"\n',
      'src/lib.rs': text,
      'engine/demo.rs': 'mod shared;\nfn main() {}\n',
      'engine/shared.rs': '',
      'engine/core.rs': 'pub mod deep;\n',
      'engine/deep.rs': 'mod deeper;\n',
      'engine/deep/deeper.rs': '',
    };
    expect(leftOut(files)).toEqual({ 'engine/demo.rs': 'example', 'engine/shared.rs': 'example' });
  });
});
