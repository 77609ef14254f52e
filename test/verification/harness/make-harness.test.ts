import { describe, expect, it } from 'vitest';
import { type Files, shortChanges } from './tree-fixture.ts';

const MAKEFILE = `
RUNNER = go
FLAGS := -race
VERSION := 1

.PHONY: all test build

all: build

build:
	$(RUNNER) build ./...

test: build prepare
	@$(RUNNER) test $(FLAGS) ./...

prepare: ; ./scripts/prepare.sh

include common.mk
`;
const BASE: Files = {
  Makefile: MAKEFILE,
  'common.mk': 'OTHER = 1\n',
  'scripts/prepare.sh': 'echo ready\n',
  'go.mod': 'module x\n',
};

describe('a make target', () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      'its recipe',
      { Makefile: MAKEFILE.replace('@$(RUNNER) test', '@true test') },
      ['changed Makefile target test'],
    ],
    [
      'a prerequisite',
      { Makefile: MAKEFILE.replace('./scripts/prepare.sh', 'true') },
      ['changed Makefile target test'],
    ],
    [
      'an added prerequisite',
      { Makefile: `${MAKEFILE}\ntest: clean\nclean:\n\trm -rf tests\n` },
      ['changed Makefile target test'],
    ],
    [
      'a variable that it uses',
      { Makefile: MAKEFILE.replace('-race', '-run XXX') },
      ['changed Makefile variables of test'],
    ],
    ['the shell', { Makefile: `SHELL = /bin/true\n${MAKEFILE}` }, ['added Makefile directives']],
    [
      'a condition around it',
      { Makefile: MAKEFILE.replace('test: build', 'ifdef CI\ntest: build') },
      ['added Makefile directives'],
    ],
    [
      'a command that runs when it is read',
      { Makefile: `X := $(shell rm -rf tests)\n${MAKEFILE}` },
      ['added Makefile directives'],
    ],
    [
      'what it includes',
      { 'common.mk': 'RUNNER = true\n' },
      ['changed Makefile variables of test', 'changed common.mk whole file'],
    ],
    [
      'a script that it runs',
      { 'scripts/prepare.sh': 'rm -rf tests\n' },
      ['changed scripts/prepare.sh whole file'],
    ],
    [
      'rules generated while it is read',
      { Makefile: `${MAKEFILE}\n$(eval test: ; true)\n` },
      ['added Makefile cannot be followed: it generates rules while it is read', 'added Makefile whole file'],
    ],
  ])('changes with %s', async (_, changed, expected) => {
    expect(await shortChanges('make test', BASE, changed)).toEqual(expect.arrayContaining(expected));
  });

  it.each<[string, Record<string, string>]>([
    ['another target', { Makefile: `${MAKEFILE}\ndocs:\n\tmkdocs build\n` }],
    ['a variable that it does not use', { Makefile: MAKEFILE.replace('VERSION := 1', 'VERSION := 2') }],
    [
      'a comment',
      { Makefile: MAKEFILE.replace('test: build prepare', '# runs all\ntest: build prepare # all') },
    ],
    [
      'the order of targets',
      { Makefile: MAKEFILE.replace('all: build\n', '').replace('include', 'all: build\n\ninclude') },
    ],
  ])('does not change with %s', async (_, changed) => {
    expect(await shortChanges('make test', BASE, changed)).toEqual([]);
  });

  it('is looked up in the file that make would use', async () => {
    const changes = await shortChanges('make -C . test', BASE, { GNUmakefile: 'test:\n\ttrue\n' });
    expect(changes).toContain('added GNUmakefile target test');
    expect(changes).toContain('removed Makefile target test');
  });

  it('is the first one by default', async () => {
    const base = { Makefile: '.PHONY: a\na:\n\techo a\nb:\n\techo b\n' };
    expect(await shortChanges('make', base, { Makefile: '.PHONY: a\na:\n\techo x\nb:\n\techo y\n' })).toEqual(
      ['changed Makefile target a'],
    );
  });

  it('leads to the programs of its recipe', async () => {
    const base = {
      Makefile: 'test:\n\tcd web && $(MAKE) check\n',
      'web/Makefile': 'check:\n\tnpm test\n',
      'web/package.json': '{"scripts":{"test":"vitest"}}',
    };
    expect(
      await shortChanges('make test', base, { 'web/package.json': '{"scripts":{"test":"true"}}' }),
    ).toEqual(['changed web/package.json scripts.test']);
  });
});
