import { describe, expect, it } from 'vitest';
import { withGoModules, withYarnPackages } from '../../../src/verification/packages/with-new-packages.ts';

describe('a command that names every module of go.work', () => {
  it.each([
    ['go test ./a/... ./b/...', ['./a', './b'], 'go test ./a/... ./b/... ./c/...'],
    ['go test -cover ./... ./a/... -v', ['.', 'a/'], 'go test -cover ./... ./a/... ./c/... -v'],
  ])('also runs those that the change adds: %s', (command, before, extended) => {
    expect(withGoModules(command, before, [...before, './c'])).toBe(extended);
  });

  it.each([
    ['a command for some modules', 'go test ./a/...', ['./a', './b'], ['./a', './b', './c']],
    ['a command without modules', 'make test', ['./a'], ['./a', './c']],
    ['no go.work on the base', 'go test ./...', [], ['.', './c']],
    ['a folder with shell characters', 'go test ./a/...', ['./a'], ['./a', './c;true', './$(id)']],
    ['a folder outside of the project', 'go test ./a/...', ['./a'], ['./a', '../c', '/c']],
    ['a removed module', 'go test ./a/... ./b/...', ['./a', './b'], ['./a']],
  ])('stays as it is: %s', (_name, command, before, after) => {
    expect(withGoModules(command, before, after)).toBe(command);
  });
});

describe('a command that names every package with tests for yarn', () => {
  it.each(['corepack yarn', 'node .yarn/releases/yarn-3.6.4.cjs', 'npx --yes yarn@1.22.22'])(
    'also runs those that the change adds: %s',
    (yarn) => {
      const command = `${yarn} build && ${yarn} workspace @m/a test && ${yarn} workspace b test`;
      expect(withYarnPackages(command, ['@m/a', 'b'], ['@m/a', 'b', '@m/c'])).toBe(
        `${command} && ${yarn} workspace @m/c test`,
      );
    },
  );

  it.each([
    ['a command for some packages', 'yarn workspace a test', ['a', 'b'], ['a', 'b', 'c']],
    ['a command for all packages', 'yarn workspaces run test', ['a'], ['a', 'c']],
    ['a command that may end early', 'yarn workspace a test || true', ['a'], ['a', 'c']],
    ['a name with shell characters', 'yarn workspace a test', ['a'], ['a', 'c;true']],
    ['a removed package', 'yarn workspace a test && yarn workspace b test', ['a', 'b'], ['a']],
  ])('stays as it is: %s', (_name, command, before, after) => {
    expect(withYarnPackages(command, before, after)).toBe(command);
  });
});
