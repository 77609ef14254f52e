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
    ['go', 'a workspace', { 'a.go': '' }, { 'go.work': 'use ./fake\n' }, ['added go.work whole file']],
    [
      'cargo',
      'a test that has no harness',
      { 'Cargo.toml': CARGO },
      { 'Cargo.toml': `${CARGO}\n[[test]]\nname = "a"\nharness = false\n` },
      ['added Cargo.toml [[test]]'],
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
      'gradle',
      'a dependency',
      { 'build.gradle': 'dependencies {\n}\n' },
      { 'build.gradle': 'dependencies {\n  testImplementation \'a:b:1\'\n  implementation("c:d:2")\n}\n' },
    ],
  ])('%s: does not change with %s', async (command, _, base, changed) => {
    expect(await shortChanges(`${command} test`, base, changed)).toEqual([]);
  });
});
