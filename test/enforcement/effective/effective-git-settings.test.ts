import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  effectiveGitSettings,
  sameEffectiveSettings,
} from '../../../src/enforcement/effective/effective-git-settings.ts';

const BASE = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';

const ORDERS: Record<string, string> = {
  'a folder of hooks': '[core]\n\thooksPath = .husky\n',
  'a key in other case': '[CORE]\n\tHOOKSPATH=x\n',
  'a key on the line of its section': '[core] hooksPath = x\n',
  'a key in an old-style section': '[filter.x]\nclean=./x\n',
  'a monitor that is switched on without a value': '[core]\n\tfsmonitor\n',
  'a value that continues on the next line': '[core]\n\tsshCommand = sh \\\n -c x\n',
  'an alias that runs a program': '[alias]\n\tst = !sh x\n',
  'an alias that runs a program, in quotes': '[alias]\n\tst = "!sh x"\n',
  'a filter': '[filter "x"]\n\tclean = sh x\n',
  'a filter with a bracket in its name': '[filter "a]b"]\n\tclean = sh x\n',
  'a filter with a quote in its name': '[filter "a\\"b"]\n\tclean = sh x\n',
  'a program that compares': '[diff "x"]\n\tcommand = sh x\n',
  'a program that shows text': '[diff "x"]\n\ttextconv = sh x\n',
  'a program that merges': '[merge "x"]\n\tdriver = sh x\n',
  'another file': '[include]\n\tpath = ../evil\n',
  'another file under a condition': '[includeIf "gitdir:/"]\n\tpath = ../evil\n',
  'a helper for credentials': '[credential]\n\thelper = !x\n',
  'a helper for credentials of one host': '[credential "https://example.invalid"]\n\thelper = x\n',
  'another address': '[url "https://evil.invalid/"]\n\tinsteadOf = https://example.invalid/\n',
  'an address that runs a program': '[remote "origin"]\n\turl = ext::sh -c x\n',
  'a program on the other side': '[remote "origin"]\n\tuploadpack = sh x\n',
  'a template of new repositories': '[init]\n\ttemplateDir = x\n',
  'a pager for one command': '[pager]\n\tlog = sh x\n',
  'a program for signatures': '[gpg]\n\tprogram = x\n',
  'a setting after a comment that seems to continue': '[user]\n# x \\\n[core]\nhooksPath = x\n',
  'a setting after a value whose comment seems to continue':
    '[user]\nname = x ; y \\\n[core]\nhooksPath = x\n',
  'an order after a line that ends in the way of other systems':
    '[user]\r\n\tname = x\r\n[core]\r\n\thooksPath = x\r\n',
  'another working tree': '[core]\n\tworktree = ../other\n',
};

for (const [name, text] of Object.entries(ORDERS)) {
  test(`a setting that runs something is found: ${name}`, () => {
    expect(effectiveGitSettings(text)).toHaveLength(1);
    expect(sameEffectiveSettings(BASE, BASE + text)).toBe(false);
    expect(sameEffectiveSettings(BASE + text, BASE)).toBe(false);
  });
}

const FREE: Record<string, string> = {
  'a name': '[user]\n\tname = Agent\n\temail = a@example.invalid\n',
  'a remote':
    '[remote "fork"]\n\turl = https://example.invalid/x.git\n\tfetch = +refs/heads/*:refs/remotes/fork/*\n',
  'an upstream': '[branch "topic"]\n\tremote = fork\n\tmerge = refs/heads/topic\n',
  'an alias of a command of git': '[alias]\n\tst = status --short\n',
  'a comment that looks like a setting': '# [core]\n; hooksPath = x\n[user]\n# hooksPath = x\n',
  'a value that looks like a section': '[user]\n\tname = [core] hooksPath = x\n',
  'a submodule': '[submodule "lib"]\n\tactive = true\n\turl = https://example.invalid/lib.git\n',
  'a further file for this working tree, as a sparse checkout has': '[extensions]\n\tworktreeConfig = true\n',
};

for (const [name, text] of Object.entries(FREE)) {
  test(`a harmless setting is free: ${name}`, () => {
    expect(sameEffectiveSettings(BASE, BASE + text)).toBe(true);
  });
}

test('core.worktree of a submodule is free only with its default value', () => {
  const at = (folder: string) => `${BASE}[core]\n\tworktree = ${folder}\n`;
  const path = 'modules/vendor/lib/config';
  expect(sameEffectiveSettings('', at('../../../../vendor/lib'), path)).toBe(true);
  for (const elsewhere of [
    '../../../../src',
    '../../../vendor/lib',
    '/vendor/lib',
    '../../../../vendor/lib/..',
  ])
    expect(sameEffectiveSettings('', at(elsewhere), path)).toBe(false);
  expect(sameEffectiveSettings(BASE, at('../../../../vendor/lib'), 'config')).toBe(false);
  expect(sameEffectiveSettings('', at('../../../../../a/b'), 'modules/a/modules/b/config')).toBe(false);
});

test('a setting is found whatever surrounds it', () => {
  const lines = fc.array(
    fc.constantFrom('[user]', '# y \\', '', '\t', '[a "b"]', '[a "]"] q = "r"', '[remote "o"] url = u \\'),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const text = [...before, '', '[core]', 'hooksPath = evil', ...after].join('\n');
      expect(effectiveGitSettings(text)).toContain('core.hookspath=evil');
    }),
  );
});

test('a file that git rejects equals no other', () => {
  for (const broken of ['[core', '[core]\nx = "', '[a b]', '[core]\n= 1', '[core]\nx = \\q'])
    expect(sameEffectiveSettings(BASE, broken)).toBe(false);
});

test('a long or broken text is read quickly', () => {
  for (const piece of ['[', '"', '\\', '[a "', '= ', '\\\n']) {
    const started = performance.now();
    effectiveGitSettings(piece.repeat(200_000));
    expect(performance.now() - started).toBeLessThan(5000);
  }
});
