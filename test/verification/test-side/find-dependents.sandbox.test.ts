import { afterAll, describe, expect, it } from 'vitest';
import { changedPaths, listTree } from '../../../src/platform/git/git-tree.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { findDependents } from '../../../src/verification/test-side/find-dependents.ts';
import { findTestSide } from '../../../src/verification/test-side/find-test-side.ts';
import { VerifiedProject } from '../../support/verified-project.ts';

const FILES = {
  'src/index.js': "export * from './add.js';\n",
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'src/limits.json': '{"max": 3}\n',
  'src/use-limits.js': "import limits from './limits.json' with { type: 'json' };\nexport { limits };\n",
  'data/expected.json': '{"sum": 3}\n',
  'lib/agree.js': "import assert from 'node:assert';\nexport const agree = (a, b) => assert.equal(a, b);\n",
  'support/check.js':
    "import assert from 'node:assert';\nexport const check = (a, b) => assert.equal(a, b);\n",
  'test/add.js': "const rows = require('./fixtures/rows');\nit('adds', () => check(rows));\n",
  'test/sum.test.js':
    "import { check } from '../support/check.js';\nimport './setup-data.js';\ntest('sums', () => check(1, 1));\n",
  'test/setup-data.js': "export const data = readFileSync('data/expected.json');\n",
  'test/other.test.js': "import { agree } from '../lib/agree.js';\ntest('other', () => assert.ok(true));\n",
  'test/fixtures/rows.js': 'module.exports = [1];\n',
  'test/global-setup.js': 'globalThis.ready = true;\n',
  'tests/add.rs': '#[test]\nfn adds() { assert_eq!(calc::add(1, 1), 2); }\n',
  'tests/twice.rs': 'mod common;\n#[test]\nfn adds_twice() { common::check(calc::add(1, 1)); }\n',
  'tests/common/mod.rs': 'mod parts;\npub use parts::check;\n',
  'tests/common/parts.rs': 'pub fn check(a: i32) { assert_eq!(a, 2); }\n',
  'testing/test_values.py': 'from values import THREE\n\n\ndef test_values():\n    assert THREE == 3\n',
  'testing/values.py': 'THREE = 3\n',
  'pytests/conftest.py': "NAME = 'x'\n",
  'pytests/test_name.py': 'from .conftest import NAME\n\n\ndef test_name():\n    assert NAME\n',
  'internal/testutil/equal.go': 'package testutil\n',
  'calc/helper_test.go': 'package calc\n',
  'calc/example_test.go': 'package calc_test\n\nfunc ExampleAdd() {\n\t// Output: 2\n}\n',
  'calc/testdata/totals': '3\n',
  'calc/add_test.go': 'package calc\n\nfunc TestAdd(t *testing.T) { check(t, "testdata/totals") }\n',
};
const project = new VerifiedProject(FILES);
afterAll(() => project.cleanup());

async function dependents(...files: string[]) {
  const repository = await Repository.open(project.path());
  return findDependents(repository, 'HEAD', await listTree(repository, 'HEAD'), files);
}

async function listed(tree: string, of = project) {
  return { tree, entries: await listTree(await Repository.open(of.path()), tree) };
}

describe('test files that use a changed file', () => {
  it('are found through imports, helpers and names of data files', async () => {
    const { tests } = await dependents('test/fixtures/rows.js', 'support/check.js', 'data/expected.json');
    expect([...(tests.get('test/fixtures/rows.js') ?? [])]).toEqual(['test/add.js']);
    expect([...(tests.get('support/check.js') ?? [])]).toEqual(['test/sum.test.js']);
    expect([...(tests.get('data/expected.json') ?? [])]).toEqual(['test/sum.test.js']);
  });

  it('are only itself for a test file without importers, and its package in Go', async () => {
    const { tests } = await dependents('test/other.test.js', 'calc/helper_test.go');
    expect([...(tests.get('test/other.test.js') ?? [])]).toEqual(['test/other.test.js']);
    expect([...(tests.get('calc/helper_test.go') ?? [])]).toEqual([
      'calc/add_test.go',
      'calc/example_test.go',
    ]);
  });

  it('are those of the package for test data of Go', async () => {
    const { tests } = await dependents('calc/testdata/totals', 'calc/add_test.go');
    const all = ['calc/add_test.go', 'calc/example_test.go'];
    expect([...(tests.get('calc/testdata/totals') ?? [])]).toEqual(all);
    expect([...(tests.get('calc/add_test.go') ?? [])]).toEqual(all);
  });

  it('are those that declare a Rust file as a module, directly or through another one', async () => {
    const { tests } = await dependents('tests/add.rs', 'tests/common/parts.rs');
    expect([...(tests.get('tests/add.rs') ?? [])]).toEqual(['tests/add.rs']);
    expect([...(tests.get('tests/common/parts.rs') ?? [])]).toEqual(['tests/twice.rs']);
  });

  it('may be all if no user of the file is found', async () => {
    const { tests } = await dependents('test/global-setup.js');
    expect(tests.get('test/global-setup.js')).toBeUndefined();
  });

  it('may be all if tests use it without its name, even if one of them names it', async () => {
    const { tests } = await dependents('pytests/conftest.py', 'internal/testutil/equal.go');
    expect(tests.get('pytests/conftest.py')).toBeUndefined();
    expect(tests.get('internal/testutil/equal.go')).toBeUndefined();
  });
});

describe('the test files of a change', () => {
  it('include helpers and data outside test folders that only tests use, and no product code', async () => {
    const repository = await Repository.open(project.path());
    for (const [path, text] of Object.entries(FILES)) project.write({ [path]: `${text}\n` });
    project.commit('Change everything');
    const changes = await changedPaths(repository, 'HEAD~1', 'HEAD');
    const side = await findTestSide(repository, await listed('HEAD~1'), await listed('HEAD'), changes);
    const product = Object.keys(FILES).filter((path) => !side.modified.includes(path));
    const doubtful = ['lib/agree.js', 'support/check.js', 'testing/values.py'];
    expect(side.doubtful.map(({ path }) => path)).toEqual(doubtful);
    expect(product.filter((path) => !doubtful.includes(path))).toEqual([
      'src/index.js',
      'src/add.js',
      'src/limits.json',
      'src/use-limits.js',
    ]);
  });
});

describe('files with assertions outside test folders', () => {
  const files = {
    'test.js': "require('./checks/add');\nimport './checks';\nconst lib = require('./lib/limits');\n",
    'checks/add.js': "const assert = require('assert');\nassert.ok(require('../lib/limits').max > 1);\n",
    'checks/index.js': "require('./named.js');\nassert.ok(true);\nconst assert = require('assert');\n",
    'checks/named.js': "test('adds', () => expect(1 + 1).toBe(2));\n",
    // Tests use what it exports.
    'lib/limits.js': "const assert = require('assert');\nassert.ok(process.version);\nexports.max = 3;\n",
    // The product loads it too.
    'lib/main.js': "require('./polyfill');\n",
    'lib/polyfill.js': "require('assert').ok(Array.prototype.at);\n",
    'test/polyfill.test.js': "require('../lib/polyfill');\ntest('loads', () => {});\n",
    // Users load them.
    'register/package.json': '{ "main": "./lib/main", "exports": { "./extra": "./lib/extra.js" } }\n',
    'register/lib/main.js': "require('assert').ok(1);\n",
    'register/lib/extra.js': "require('assert').ok(2);\n",
    'register/test/a.test.js': "require('../lib/main');\nrequire('../lib/extra');\n",
  };

  it('belong to the tests if only tests load them, and use nothing of them', async ({ onTestFinished }) => {
    const own = new VerifiedProject(files);
    onTestFinished(() => own.cleanup());
    const repository = await Repository.open(own.path());
    for (const [path, text] of Object.entries(files)) own.write({ [path]: `${text}\n` });
    own.write({ 'test.js': `${files['test.js']}require('./checks/more');\n` });
    own.write({ 'checks/more.js': "require('assert').ok(1);\n", 'checks/unused.js': "require('assert');\n" });
    own.commit('Change everything');
    const changes = await changedPaths(repository, 'HEAD~1', 'HEAD');
    const trees = [await listed('HEAD~1', own), await listed('HEAD', own)] as const;
    const side = await findTestSide(repository, ...trees, changes);
    expect(side.added).toEqual(['checks/more.js']);
    expect(side.modified).toEqual([
      'checks/add.js',
      'checks/index.js',
      'checks/named.js',
      'register/test/a.test.js',
      'test.js',
      'test/polyfill.test.js',
    ]);
  });
});

describe('files with the names of tests', () => {
  const product = {
    'index.js': "const Test = require('./lib/test');\nmodule.exports = (name) => new Test(name);\n",
    'lib/test.js': 'module.exports = class Test {};\n',
    'src/load.ts': "import { parse } from './spec';\nimport { dump } from '@/specs/dump';\n",
    'src/spec/index.ts': "export { parse } from './parse.js';\n",
    'src/spec/parse.ts': 'export const parse = JSON.parse;\n',
    'src/specs/dump.ts': 'export const dump = JSON.stringify;\n',
    'src/web/serving.py': 'from .test import Client\n',
    'src/web/test.py': 'from web.tests.urls import join\nclass Client: ...\n',
    'src/web/tests/urls.py': 'def join(*parts): ...\n',
    'main.go': 'package main\n\nimport "example.com/x/spec"\n',
    'spec/spec.go': 'package spec\n',
    'app/src/main/java/org/x/test/Probe.java': 'package org.x.test;\n',
  };
  const ofTests = {
    'benchmark/run.js': "require('../test/helpers.js');\n",
    'smoke.js': "require('./test/helpers.js');\n",
    'vitest.config.js': "import './test/set-up.js';\n",
    'test/set-up.js': '',
    'test/helpers.js': 'exports.check = () => {};\n',
    'test/label.test.js': "require('./helpers.js');\ntest('label', () => {});\n",
    'spec/spec_test.go': 'package spec\n',
    'test/util/util.go': 'package util\n',
    'spec/more_test.go': 'package spec\n\nimport "example.com/x/test/util"\n',
    'src/adds.js': "import './tests/adds.js';\n",
    'src/tests/adds.js': "test('adds', () => expect(1).toBe(1));\n",
  };

  it('belong to the product if it imports them and they contain no test', async ({ onTestFinished }) => {
    const named = new VerifiedProject({ ...product, ...ofTests });
    onTestFinished(() => named.cleanup());
    const repository = await Repository.open(named.path());
    for (const [path, text] of Object.entries({ ...product, ...ofTests }))
      named.write({ [path]: `${text}\n` });
    // Only on the base does an import make a file part of the product.
    named.write({ 'src/load.ts': `${product['src/load.ts']}import '../test/helpers.js';\n` });
    // A new file is part of it if the change imports it.
    named.write({ 'index.js': `${product['index.js']}require('./lib/spec/names');\n` });
    named.write({ 'lib/spec/names.js': 'exports.names = [];\n', 'lib/spec/others.js': '' });
    named.commit('Change everything');
    const changes = await changedPaths(repository, 'HEAD~1', 'HEAD');
    const trees = [await listed('HEAD~1', named), await listed('HEAD', named)] as const;
    const side = await findTestSide(repository, ...trees, changes);
    const notTests = ['benchmark/run.js', 'smoke.js', 'vitest.config.js', 'src/adds.js'];
    expect([...side.modified].sort()).toEqual(
      Object.keys(ofTests)
        .filter((path) => !notTests.includes(path))
        .sort(),
    );
    expect(side.added).toEqual(['lib/spec/others.js']);
  });

  it('belong to the tests in Go if they are internal and import testing', async ({ onTestFinished }) => {
    const files = {
      'internal/check/check.go': 'package check\n\nimport "testing"\n\nfunc Equal(t *testing.T) {}\n',
      'internal/sum/sum.go': 'package sum\n\nimport "sort"\n',
      'check/check.go': 'package check\n\nimport "testing"\n\nfunc Equal(t *testing.T) {}\n',
    };
    const go = new VerifiedProject(files);
    onTestFinished(() => go.cleanup());
    const repository = await Repository.open(go.path());
    for (const [path, text] of Object.entries(files)) go.write({ [path]: `${text}\n` });
    go.commit('Change everything');
    const changes = await changedPaths(repository, 'HEAD~1', 'HEAD');
    const trees = [await listed('HEAD~1', go), await listed('HEAD', go)] as const;
    expect((await findTestSide(repository, ...trees, changes)).modified).toEqual(['internal/check/check.go']);
  });

  it('belong to the tests in Rust if they are a module for tests only, on the base', async ({
    onTestFinished,
  }) => {
    const modules = {
      'src/lib.rs': '#[cfg(test)]\nmod fixtures;\npub mod spec;\n',
      'src/fixtures/mod.rs': 'pub mod carts;\n',
      'src/fixtures/carts.rs': 'pub fn check(a: i32) { assert_eq!(a, 2); }\n',
      'src/spec/mod.rs': '#[cfg(all(test, unix))]\n#[macro_use]\npub(crate) mod checks;\n',
      'src/spec/checks.rs': 'pub fn check(a: i32) { assert_eq!(a, 2); }\n',
    };
    const rust = new VerifiedProject(modules);
    onTestFinished(() => rust.cleanup());
    const repository = await Repository.open(rust.path());
    for (const [path, text] of Object.entries(modules))
      rust.write({ [path]: `${text.replace(/#.cfg.*\n/, '')}\n` });
    rust.commit('Change everything');
    const changes = await changedPaths(repository, 'HEAD~1', 'HEAD');
    const trees = [await listed('HEAD~1', rust), await listed('HEAD', rust)] as const;
    expect((await findTestSide(repository, ...trees, changes)).modified).toEqual([
      'src/fixtures/carts.rs',
      'src/fixtures/mod.rs',
      'src/spec/checks.rs',
    ]);
  });

  it('belong to the tests if they are data in a folder that only tests name', async ({ onTestFinished }) => {
    const data = ['cases/add/one.json', 'locales/en.json', 'src/pages/start.html', 'unnamed/one.json'];
    const folders = new VerifiedProject({
      'src/index.js': 'export const text = (name) => readFileSync(`./locales/${name}.json`);\n',
      'test/add.test.js':
        "for (const one of readdirSync('cases/')) test(one, () => {});\nimport '../src/index.js';\nimport '../locales';\n",
      ...Object.fromEntries(data.map((path) => [path, '1\n'])),
    });
    onTestFinished(() => folders.cleanup());
    const repository = await Repository.open(folders.path());
    for (const path of data) folders.write({ [path]: '2\n' });
    folders.commit('Change everything');
    const changes = await changedPaths(repository, 'HEAD~1', 'HEAD');
    const trees = [await listed('HEAD~1', folders), await listed('HEAD', folders)] as const;
    expect((await findTestSide(repository, ...trees, changes)).modified).toEqual(['cases/add/one.json']);
  });

  it('belong to the tests if they are a submodule', async () => {
    const repository = await Repository.open(project.path());
    const paths = ['spec', 'vendor/lib', 'vendor/lib/tests'];
    const at = (object: string) => ({
      tree: 'HEAD',
      entries: paths.map((path) => ({ path, mode: '160000', object: object.repeat(40) })),
    });
    const changes = paths.map((path) => ({ path, change: 'modified' as const }));
    const { modified } = await findTestSide(repository, at('1'), at('2'), changes);
    expect(modified).toEqual(['spec', 'vendor/lib/tests']);
  });
});
