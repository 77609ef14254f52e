import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareHarness } from '../../../src/verification/harness/compare-harness.ts';
import { readIniSections, readTomlSections } from '../../../src/verification/harness/config-sections.ts';
import { describeHarness } from '../../../src/verification/harness/describe-harness.ts';
import { pythonHooks } from '../../../src/verification/harness/python-hooks.ts';
import { readMakefile } from '../../../src/verification/harness/read-makefile.ts';
import { splitShell } from '../../../src/verification/harness/split-shell.ts';
import { ANY_CHARACTER } from '../../support/any-character.ts';
import { runs } from '../../support/thorough.ts';
import { tree } from './tree-fixture.ts';

const MANIFEST = '{"scripts":{"test":"vitest run"}}';

describe('a hostile tree', () => {
  it('is never left through a link, which becomes a part', async () => {
    const outside = tree({ 'secret.ts': 'the secret' });
    const base = tree({ 'package.json': MANIFEST, 'vitest.config.ts': 'the secret' });
    const linked = tree({ 'package.json': MANIFEST });
    symlinkSync(join(outside, 'secret.ts'), join(linked, 'vitest.config.ts'));
    symlinkSync(outside, join(linked, 'folder'));
    const parts = await describeHarness(linked, [
      'npm test',
      'cd folder && cat secret.ts',
      'sh folder/secret.ts',
    ]);
    expect(JSON.stringify(parts)).not.toContain('the secret');
    const changes = compareHarness(
      await describeHarness(base, ['npm test']),
      await describeHarness(linked, ['npm test']),
    );
    expect(changes.map(({ type, path, part }) => `${type} ${path} ${part}`)).toEqual([
      expect.stringMatching(/^added vitest\.config\.ts /),
      'removed vitest.config.ts whole file',
    ]);
  });

  it('is read through a link that stays inside', async () => {
    const base = tree({ 'package.json': MANIFEST, 'config/vitest.ts': 'a', 'vitest.config.ts': 'a' });
    const linked = tree({ 'package.json': MANIFEST, 'config/vitest.ts': 'a' });
    symlinkSync('config/vitest.ts', join(linked, 'vitest.config.ts'));
    expect(
      compareHarness(await describeHarness(base, ['npm test']), await describeHarness(linked, ['npm test'])),
    ).toEqual([]);
  });

  it('with a pipe, a folder or a cycle in place of a file is described', async () => {
    const root = tree({ 'package.json': MANIFEST });
    execFileSync('mkfifo', [join(root, 'vitest.config.ts')]);
    mkdirSync(join(root, 'vite.config.ts'));
    symlinkSync('vitest.workspace.ts', join(root, 'vitest.workspace.ts'));
    symlinkSync('.', join(root, 'again'));
    const parts = await describeHarness(root, ['npm test', 'make test']);
    expect(parts.map(({ path }) => path)).toContain('package.json');
  });

  it('with a file too large to read is compared to its end', async () => {
    const large = 'x'.repeat(3 * 1024 * 1024);
    const base = await describeHarness(tree({ 'package.json': MANIFEST, 'vitest.config.ts': `${large}a` }), [
      'npm test',
    ]);
    const same = await describeHarness(tree({ 'package.json': MANIFEST, 'vitest.config.ts': `${large}a` }), [
      'npm test',
    ]);
    const other = await describeHarness(tree({ 'package.json': MANIFEST, 'vitest.config.ts': `${large}b` }), [
      'npm test',
    ]);
    expect(compareHarness(base, same)).toEqual([]);
    expect(compareHarness(base, other).map(({ path }) => path)).toEqual(['vitest.config.ts']);
  });

  it.each([
    ['{"scripts":null}'],
    ['{"scripts":{"__proto__":"x","test":{"a":1}}}'],
    ['[]'],
    ['null'],
    ['"text"'],
    [`{"scripts":{"test":"vitest"},"jest":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    [`{"a":${'['.repeat(200_000)}`],
  ])('with a package.json of %.60s is described', async (text) => {
    const parts = await describeHarness(tree({ 'package.json': text }), ['npm test', 'npx jest']);
    expect(parts.length).toBeGreaterThan(0);
  });

  it('gives the same description each time, with text cut to a readable length', async () => {
    const files = { 'package.json': MANIFEST, 'vitest.config.ts': 'a\n'.repeat(2000) };
    const [one, two] = [
      await describeHarness(tree(files), ['npm test']),
      await describeHarness(tree(files), ['npm test']),
    ];
    expect(one).toEqual(two);
    const [change] = compareHarness(
      one,
      await describeHarness(tree({ ...files, 'vitest.config.ts': 'b\n'.repeat(2000) }), ['npm test']),
    );
    expect(change?.words.length).toBeLessThan(700);
  });

  it('does not hide that a command cannot be followed', async () => {
    const root = tree({ 'a.sh': 'x' });
    const parts = await describeHarness(root, ['$(cat a.sh)', 'cd nowhere && npm test', "sh -c 'unclosed"]);
    expect(parts.filter(({ path }) => path === '(command)').map(({ part }) => part)).toEqual([
      expect.any(String),
      expect.stringContaining('./nowhere'),
      expect.any(String),
    ]);
  });

  it('whose folder is not a folder is an error, not an empty description', async () => {
    const root = tree({ a: '' });
    await expect(describeHarness(join(root, 'none'), ['npm test'])).rejects.toThrow();
    writeFileSync(join(root, 'b'), '');
  });
});

describe('any text', () => {
  const text = fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          ...'\'"`\\$(){}[]<>|&;#=:\n\t @.',
          'a',
          'cd ',
          'test:',
          '\n\t',
          '"""',
          '[tool.',
          'def pytest_',
          'define',
        ),
        { maxLength: 60 },
      )
      .map((all) => all.join('')),
  );

  it('is split into commands, sections, rules and statements without an error', () => {
    fc.assert(
      fc.property(text, (one) => {
        splitShell(one);
        readTomlSections(one);
        readIniSections(one);
        readMakefile(one);
        pythonHooks(one);
      }),
      { numRuns: runs(400) },
    );
  });

  it('as a script of a package is followed without an error', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (script) => {
        const root = tree({
          'package.json': JSON.stringify({ scripts: { test: script } }),
          Makefile: script,
        });
        await describeHarness(root, ['npm test', 'make']);
      }),
      { numRuns: runs(40) },
    );
  });
});

describe('a shell line', () => {
  it.each<[string, string[][]]>([
    ['a b && c || d; e | f & g', [['a', 'b'], ['c'], ['d'], ['e'], ['f'], ['g']]],
    [`a "b c" 'd"e' f\\ g`, [['a', 'b c', 'd"e', 'f g'], ['b', 'c'], ['d"e'], ['f', 'g']].slice(0, 1)],
    ['A=1 B="2" a', [['a']]],
    ['a > out.txt 2>&1 < in.txt', [['a', 'in.txt']]],
    ['# nothing\na # rest', [['a']]],
    ['if a; then b; fi', [['a'], ['b']]],
    ['a \\\n b', [['a', 'b']]],
  ])('%j has the commands %j', (line, expected) => {
    expect(
      splitShell(line)
        .commands.map(({ words }) => words)
        .slice(0, expected.length),
    ).toEqual(expected);
  });

  it('tracks the folder, and leaves it at the closing bracket', () => {
    expect(
      splitShell('(cd a && cd b && x); y; cd c; z').commands.map(
        ({ words, folder }) => `${folder} ${words[0]}`,
      ),
    ).toEqual(['./a/b x', '. y', './c z']);
  });
});
