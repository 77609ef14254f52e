import { describe, expect, it } from 'vitest';
import { type Files, shortChanges } from './tree-fixture.ts';

const HONEST = 'package a\n\nfunc TestMain(m *testing.M) {\n\tsetup()\n\tos.Exit(m.Run())\n}\n';
const CARGO = '[package]\nname = "x"\n\n[dependencies]\nserde = "1"\n';
const POM =
  '<project>\n<dependencies>\n</dependencies>\n<properties>\n<junit.version>5</junit.version>\n</properties>\n</project>\n';

describe('the harness of other runners', () => {
  it.each<[string, string, Files, Record<string, string>, string[]]>([
    [
      'go',
      'a TestMain that runs nothing',
      { 'a.go': '' },
      { 'a_test.go': 'package a\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n' },
      ['added a_test.go func TestMain'],
    ],
    [
      'go',
      'a TestMain that forgets the result',
      { 'a.go': '' },
      { 'a_test.go': 'package a\n\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n' },
      ['added a_test.go func TestMain'],
    ],
    [
      'go',
      'a TestMain that no longer reports the result',
      { 'a_test.go': HONEST },
      { 'a_test.go': HONEST.replace('os.Exit(m.Run())', 'code := m.Run()\n\tcode = 0\n\tos.Exit(code)') },
      ['added a_test.go func TestMain', 'removed a_test.go func TestMain that exits with m.Run()'],
    ],
    ['go', 'a workspace', { 'a.go': '' }, { 'go.work': 'use ./fake\n' }, ['added go.work replacements']],
    [
      'go',
      'a module in place of a dependency',
      { 'go.work': 'use ./a\n', 'a/go.mod': 'module example.com/x/a\n' },
      { 'go.work': 'use (\n\t./a\n\t./fake\n)\n', 'fake/go.mod': 'module github.com/stretchr/testify\n' },
      ['added go.work use ./fake'],
    ],
    [
      'go',
      'an assertion library of the same owner in place of a dependency',
      { 'go.work': 'use ./a\n', 'a/go.mod': 'module github.com/stretchr/objx\n' },
      { 'go.work': 'use ./a\nuse ./fake\n', 'fake/go.mod': 'module github.com/stretchr/testify\n' },
      ['added go.work use ./fake'],
    ],
    [
      'go',
      'a module that is no longer part of the workspace, and a replacement',
      { 'go.work': 'use ./a\nuse ./b\n' },
      { 'go.work': 'use ./a\nreplace example.com/y => ./y\n' },
      ['changed go.work replacements', 'removed go.work test registered by use ./b'],
    ],
    [
      'go',
      'something in place of an assertion library',
      { 'go.mod': 'module example.com/x\n' },
      {
        'go.mod':
          'module example.com/x\n\nreplace (\n\tgithub.com/stretchr/testify v1.9.0 => ./fake\n\texample.com/y => ../y\n)\n',
      },
      ['added go.mod replace github.com/stretchr/testify'],
    ],
    [
      'go',
      'something in place of a part of an assertion library, however it is written',
      { 'go.mod': 'module example.com/x\n' },
      {
        'go.mod': `module example.com/x

replace(
\tgithub.com/stretchr/testify/assert => ./fake
)
replace github.com/onsi/gomega${' '.repeat(200)}=> ./fake
replace "gotest.tools\\x2fv3" => ./fake
`,
      },
      [
        'added go.mod replace github.com/onsi/gomega',
        'added go.mod replace github.com/stretchr/testify/assert',
        'added go.mod replace gotest.tools\\x2fv3',
      ],
    ],
    [
      'go',
      'a module in place of a dependency, by its bare folder',
      { 'go.work': 'use ./a\n', 'a/go.mod': 'module example.com/x/a\n' },
      { 'go.work': 'use ./a\nuse fake\n', 'fake/go.mod': 'module github.com/stretchr/testify\n' },
      ['added go.work use fake'],
    ],
    [
      'cd a && go',
      'a workspace above the module',
      { 'a/go.mod': 'module example.com/x/a\n' },
      { 'go.work': 'use ./a\nuse ./fake\n', 'fake/go.mod': 'module github.com/stretchr/testify\n' },
      ['added go.work replacements', 'added go.work use ./fake'],
    ],
    [
      'go',
      'a vendored assertion library',
      { 'vendor/modules.txt': '', 'vendor/example.com/y/y.go': 'package y' },
      {
        'vendor/example.com/y/y.go': 'package y // changed',
        'vendor/github.com/stretchr/testify/assert/equal.go': 'package assert',
      },
      ['added vendor/modules.txt vendored github.com/stretchr/testify'],
    ],
    [
      'mvn',
      'classes in place of an assertion library',
      { 'pom.xml': '', 'own/src/main/java/org/hamcrest/A.java': '' },
      { 'own/src/main/java/org/hamcrest/B.java': '', 'src/test/java/org/junit/Assert.java': '' },
      ['added src/test/java/org/junit/Assert.java in place of an installed package'],
    ],
    [
      'mvn',
      'a module that is left out',
      { 'pom.xml': '<modules>\n<module>a</module>\n<module>b</module>\n</modules>\n' },
      { 'pom.xml': '<modules>\n<module>a</module>\n</modules>\n' },
      ['removed pom.xml test registered by <module>b</module>'],
    ],
    [
      'gradle',
      'a project that is left out',
      { 'settings.gradle': "include 'a', 'b'\n" },
      { 'settings.gradle': "include 'a'\n" },
      ['removed settings.gradle test registered by include b'],
    ],
    [
      'cargo',
      'something in place of an assertion library',
      { 'Cargo.toml': '[dev-dependencies]\npretty_assertions = "1"\n' },
      {
        'Cargo.toml':
          '[dev-dependencies]\npretty_assertions = "1"\n[patch.crates-io]\nown = { path = "own", package = "pretty_assertions" }\n',
      },
      ['added Cargo.toml assertion libraries from another source'],
    ],
    [
      'cargo',
      'something in place of an assertion library, in a table of its own',
      { 'Cargo.toml': '[dev-dependencies]\nproptest = "1"\n' },
      { 'Cargo.toml': '[dev-dependencies.proptest]\npath = "own"\n' },
      ['added Cargo.toml assertion libraries from another source'],
    ],
    [
      'cargo',
      'a test that has no harness',
      { 'Cargo.toml': CARGO },
      { 'Cargo.toml': `${CARGO}\n[[test]]\nname = "a"\nharness = false\n` },
      ['added Cargo.toml [[test]]'],
    ],
    [
      'cargo',
      'a listed test that is listed elsewhere',
      { 'Cargo.toml': `${CARGO}\n[[test]]\nname = "a"\npath = "checks/a.rs"\n` },
      { 'Cargo.toml': `${CARGO}\n[[test]]\nname = "a"\npath = "checks/b.rs"\n` },
      ['removed Cargo.toml test registered by [[test]]\nname = "a"\npath = "checks/a.rs"'],
    ],
    [
      'cargo',
      'a library without tests',
      { 'Cargo.toml': CARGO },
      { 'Cargo.toml': `${CARGO}\n[lib]\ntest = false\n` },
      ['added Cargo.toml [lib] test'],
    ],
    [
      'cargo',
      'tests that are not looked for',
      { 'Cargo.toml': CARGO },
      { 'Cargo.toml': CARGO.replace('name = "x"', 'name = "x"\nautotests = false') },
      ['added Cargo.toml [package] autotests'],
    ],
    ...[
      ['in a section with an escaped name', '[["\\u0074est"]]'],
      ['after a key that contains a quote and a bracket', '[package.metadata]\n"a\\"=[" = 1\n\n[[test]]'],
      ['after a text that ends with a quote', '[package.metadata]\na = ["""b""""]\n\n[[test]]'],
    ].map(([where, header]): [string, string, Files, Record<string, string>, string[]] => [
      'cargo',
      `a test that has no harness ${where}`,
      { 'Cargo.toml': CARGO },
      { 'Cargo.toml': `${CARGO}\n${header}\nname = "a"\n"harn\\u0065ss" = false\n` },
      ['added Cargo.toml [[test]]'],
    ]),
    [
      'cargo',
      'examples in a list of their own, which cannot be compared one by one',
      { 'Cargo.toml': CARGO },
      { 'Cargo.toml': `example = [{ name = "a", path = "tests/a.rs" }]\n${CARGO}` },
      ['added Cargo.toml [[example]]'],
    ],
    [
      'cargo',
      'another runner',
      { 'Cargo.toml': CARGO },
      { '.cargo/config.toml': '[target.x]\nrunner = "true"\n' },
      ['added .cargo/config.toml whole file'],
    ],
    [
      'mvn',
      'tests that are skipped',
      { 'pom.xml': POM },
      { 'pom.xml': POM.replace('<properties>', '<properties>\n<skipTests>true</skipTests>') },
      ['added pom.xml <properties>'],
    ],
    [
      'mvn',
      'failures that are ignored',
      { 'pom.xml': POM },
      {
        'pom.xml': POM.replace(
          '</project>',
          '<build><plugins><testFailureIgnore>true</testFailureIgnore></plugins></build></project>',
        ),
      },
      ['added pom.xml <build>'],
    ],
    [
      'mvn',
      'settings of Maven',
      { 'pom.xml': POM },
      { '.mvn/maven.config': '-DskipTests\n' },
      ['added .mvn/maven.config whole file'],
    ],
    [
      './gradlew',
      'a disabled task',
      { 'build.gradle': "plugins { id 'java' }\n" },
      { 'build.gradle': "plugins { id 'java' }\ntest.enabled = false\n" },
      ['changed build.gradle all but dependencies'],
    ],
    [
      'deno',
      'a task',
      { 'deno.json': '{"tasks":{"test":"deno test"}}' },
      { 'deno.json': '{"tasks":{"test":"true"}}' },
      ['changed deno.json whole file'],
    ],
    [
      'just',
      'a recipe',
      { justfile: 'test:\n  vitest\n' },
      { justfile: 'test:\n  true\n' },
      ['changed justfile whole file'],
    ],
  ])('%s: changes with %s', async (command, _, base, changed, expected) => {
    expect(await shortChanges(`${command} test`, base, changed)).toEqual(expected);
  });

  it.each<[string, string, Files, Record<string, string>]>([
    ['go', 'an honest TestMain', { 'a.go': '' }, { 'a_test.go': HONEST }],
    [
      'go',
      'other preparations in an honest TestMain',
      { 'a_test.go': HONEST },
      { 'a_test.go': HONEST.replace('setup()', 'if err := setup(1); err != nil {\n\t\tos.Exit(1)\n\t}') },
    ],
    [
      'go',
      'a TestMain that cleans up',
      { 'a.go': '' },
      {
        'a_test.go':
          'package a\n\nfunc TestMain(m *testing.M) {\n\tcode := m.Run()\n\tclean()\n\tos.Exit(code)\n}\n',
      },
    ],
    [
      'cargo',
      'other dependencies from another source',
      { 'Cargo.toml': '[dependencies]\nserde = "1"\n' },
      {
        'Cargo.toml':
          '[dependencies]\nserde = { git = "https://example.com/serde" }\n[dev-dependencies]\ninsta = { version = "1", features = ["json"] }\n',
      },
    ],
    [
      'cargo',
      'one more listed test',
      { 'Cargo.toml': `${CARGO}\n[[test]]\nname = "a"\npath = "checks/a.rs"\n` },
      {
        'Cargo.toml': `${CARGO}\n[[test]]\npath = "checks/b.rs"\nname = "b"\n\n[[test]]\nname = "a"\npath = "checks/a.rs"\n`,
      },
    ],
    [
      'cargo',
      'a dependency',
      { 'Cargo.toml': CARGO },
      { 'Cargo.toml': `${CARGO}tokio = { version = "1", features = ["full"] }\n` },
    ],
    [
      'mvn',
      'a dependency and its version',
      { 'pom.xml': POM },
      {
        'pom.xml': POM.replace(
          '</dependencies>',
          '<dependency><artifactId>a</artifactId></dependency>\n</dependencies>',
        ).replace('<properties>', '<properties>\n<a.version>1</a.version>'),
      },
    ],
    [
      'go',
      'a module and a version of go.work',
      { 'go.work': 'go 1.19\n\nuse ./a\n', 'a/go.mod': 'module example.com/x/a\n' },
      {
        'go.work': 'go 1.20\n\nuse (\n\t./a\n\t./b // new\n)\n',
        'b/go.mod': 'module example.com/x/b\n',
      },
    ],
    [
      'mvn',
      'a module',
      { 'pom.xml': '<modules>\n<module>a</module>\n</modules>\n' },
      { 'pom.xml': '<modules>\n<module>a</module>\n<module>b</module>\n</modules>\n' },
    ],
    [
      'gradle',
      'a project',
      { 'settings.gradle.kts': 'rootProject.name = "x"\ninclude(":a")\n' },
      { 'settings.gradle.kts': 'rootProject.name = "x"\ninclude(":a", ":b:c")\ninclude(":d")\n' },
    ],
    [
      'gradle',
      'a dependency',
      { 'build.gradle': 'dependencies {\n}\n' },
      { 'build.gradle': 'dependencies {\n  testImplementation \'a:b:1\'\n  implementation("c:d:2")\n}\n' },
    ],
  ])('%s: does not change with %s', async (command, _, base, changed) => {
    expect(await shortChanges(`${command} test`, base, changed)).toEqual([]);
  });
});

describe('the harness of CMake, Meson and others', () => {
  const CTEST = 'cmake -S . -B build && cmake --build build && ctest --test-dir build';
  const ROOT = 'project(shop VERSION 1.0)\nenable_testing()\nadd_subdirectory(tests)\n';
  const LIST =
    'set(names\n  cart\n  price\n)\nadd_test(NAME cart COMMAND cart)\nset_tests_properties(cart\n  PROPERTIES TIMEOUT 9)\n';
  const CMAKE = { 'CMakeLists.txt': ROOT, 'tests/CMakeLists.txt': LIST };

  it.each<[string, string, Files, Record<string, string>, string[]]>([
    [
      CTEST,
      'a test that is no longer registered',
      CMAKE,
      { 'tests/CMakeLists.txt': LIST.replace('  price\n', '') },
      ['removed tests/CMakeLists.txt test registered by price'],
    ],
    [
      CTEST,
      'a test that has to fail',
      CMAKE,
      { 'tests/CMakeLists.txt': LIST.replace('  PROPERTIES', '  PROPERTIES\n  WILL_FAIL\n') },
      ['changed tests/CMakeLists.txt lines about tests'],
    ],
    [
      CTEST,
      'tests that are left out',
      CMAKE,
      { 'CMakeLists.txt': ROOT.replace('enable_testing()', 'return()') },
      ['changed CMakeLists.txt lines about tests'],
    ],
    [
      'meson test -C build',
      'a removed test',
      { 'meson.build': "project('shop', 'c')\ntest('cart', cart)\ntest('price', price)\n" },
      { 'meson.build': "project('shop', 'c')\ntest('cart', cart)\n" },
      ["removed meson.build test registered by test('price', price)"],
    ],
    ['prove -lr t', 'options', {}, { '.proverc': '--norc\n' }, ['added .proverc whole file']],
    [
      'vendor/bin/phpunit',
      'its configuration',
      { 'phpunit.xml': '<phpunit/>' },
      { 'phpunit.xml': '<phpunit stopOnError="true"/>' },
      ['changed phpunit.xml whole file'],
    ],
  ])('%s: changes with %s', async (command, _, base, changed, expected) => {
    expect(await shortChanges(command, base, changed)).toEqual(expected);
  });

  it.each<[string, Record<string, string>]>([
    ['a new test', { 'tests/CMakeLists.txt': LIST.replace('  price\n', '  price\n  discount\n') }],
    [
      'a new program',
      { 'tests/CMakeLists.txt': `${LIST}add_executable(tax tax.c)\nadd_test(NAME tax COMMAND tax)\n` },
    ],
    [
      'a version and a source file',
      { 'CMakeLists.txt': `${ROOT.replace('1.0', '1.1')}add_library(shop cart.c)\n` },
    ],
    ['a comment', { 'tests/CMakeLists.txt': `# Tests of the shop\n${LIST}` }],
  ])('CTest’s does not change with %s', async (_, changed) => {
    expect(await shortChanges(CTEST, CMAKE, changed)).toEqual([]);
  });
});

it('a large file of Go tests counts only if its TestMain changes', async () => {
  const rows = '\t{"a row of a table"},\n'.repeat(120_000);
  const table = (version: number) => `package a\n\n// Version ${version}\nvar rows = []string{\n${rows}}\n`;
  expect(await shortChanges('go test ./...', { 'a_test.go': table(1) }, { 'a_test.go': table(2) })).toEqual(
    [],
  );
  const main = `${table(2)}\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n`;
  expect(await shortChanges('go test ./...', { 'a_test.go': table(1) }, { 'a_test.go': main })).toEqual([
    'added a_test.go func TestMain',
  ]);
});
