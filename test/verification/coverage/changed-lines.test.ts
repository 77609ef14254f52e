import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHANGED_LINES_DIFF, changedLines } from '../../../src/verification/coverage/changed-lines.ts';

let folder: string;

function git(...args: string[]): string {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...Object.fromEntries(environment),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
    },
  });
}

function write(path: string, contents: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), contents);
}

function commit(): void {
  git('add', '-A');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'x');
}

/** The changes since the last commit, including additions. */
function changed(...config: string[]): Record<string, number[]> {
  git('add', '-A');
  const diff = git(...config, ...CHANGED_LINES_DIFF, '--cached', 'HEAD');
  return Object.fromEntries([...changedLines(diff)].map(([path, lines]) => [path, [...lines]]));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guardkit-changed-lines-'));
  git('init', '-q');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('changed lines of real git output', () => {
  it('are numbered as in the new file', () => {
    write('a.ts', 'one\ntwo\nthree\nfour\nfive\n');
    commit();
    write('a.ts', 'zero\none\nTWO\nthree\nfive\nsix\nseven\n');
    expect(changed()).toEqual({ 'a.ts': [1, 3, 6, 7] });
  });

  it('exclude lines that differ only in quotes, spacing, semicolons and trailing commas', () => {
    write('a.js', "module.exports = { a: require('./a'), b }\nconst list = [\n  1,\n  2\n]\n");
    write('a.go', 'x := 1\nlonger := 2\n');
    commit();
    write('a.js', 'module.exports = { a: require("./a"), b };\nconst list = [1, 2];\n');
    write('a.go', 'x      := 1\nlonger := 2\n');
    expect(changed()).toEqual({});
  });

  const MOVED = 'export function round(amount) {\n  return Math.round(amount * 100) / 100;\n}\n';

  it('exclude code that only moved, within a file, to another one or with its file', () => {
    write('a.js', `${MOVED}\none();\ntwo();\nthree();\nfour();\n`);
    write(
      'old/b.js',
      'const rates = new Map();\nexport const rateOf = (name) => rates.get(name);\nexport const all = rates;\n',
    );
    write(
      'c.js',
      'class Prices {\n  total(items) {\n    return items.reduce((sum, item) => sum + item.price, 0);\n  }\n}\n',
    );
    commit();
    write('a.js', `one();\ntwo();\nthree();\nfour();\n\n${MOVED}`);
    rmSync(join(folder, 'old/b.js'));
    write(
      'new/b.js',
      'const rates = new Map();\nexport const rateOf = (name) => rates.get(name);\nexport const all = rates;\n',
    );
    write('c.js', 'class Prices {\n}\n');
    write(
      'd.js',
      'total(items) {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\nadded();\n',
    );
    // Line 5 is blank.
    expect(changed()).toEqual({ 'a.js': [5], 'd.js': [4] });
  });

  it('include a copy, code that comes from tests or documentation, and short lines that are equal by chance', () => {
    write('a.js', `${MOVED}`);
    write('test/a.test.js', `test();\n${MOVED}`);
    write('README.md', `Text\n${MOVED}`);
    write('short.js', 'a();\nb();\nc();\nrest();\n');
    commit();
    write('test/a.test.js', 'test();\n');
    write('README.md', 'Text\n');
    write('b.js', MOVED);
    write('short.js', 'rest();\na();\nb();\nc();\n');
    const lines = changed();
    expect(lines['b.js']).toEqual([1, 2, 3]);
    expect(lines['short.js']?.length).toBeGreaterThan(0);
  });

  it('include the lines of a reformatted hunk that also have other changes', () => {
    write('a.js', "a('x')\nb('y')\nc('z')\n");
    commit();
    write('a.js', 'a("x");\nb("other");\nc("z");\n');
    expect(changed()).toEqual({ 'a.js': [2] });
  });

  it('include a space inside a string, a line moved into a block and reordered lines', () => {
    write('string.js', "a('x y')\n");
    write('block.js', 'a()\nb()\n');
    write('order.js', 'first()\nsecond()\n');
    write('block.py', 'if x:\n    a()\n    b()\n');
    write('break.py', 'a(); b()\n');
    commit();
    write('string.js', "a('xy')\n");
    write('block.js', 'if (false) {\n  a()\n  b()\n}\n');
    write('order.js', 'second()\nfirst()\n');
    write('block.py', 'if x:\n    a()\nb()\n');
    write('break.py', 'a()\nb()\n');
    const found = changed();
    expect(found['string.js']).toEqual([1]);
    expect(found['block.js']).toEqual([1, 2, 3, 4]);
    expect(found['order.js']).toHaveLength(1);
    expect(found['block.py']).toEqual([3]);
    expect(found['break.py']).toEqual([1, 2]);
  });

  it('include the line of a comment that excludes it from coverage', () => {
    write('a.js', '/* c8 ignore next */ a()\nb()\n');
    commit();
    write('a.js', 'a()\n/* c8 ignore next */ b()\n');
    expect(changed()).toEqual({ 'a.js': [1, 2] });
  });

  it('include all lines of a new file, and none of an empty one', () => {
    commit();
    write('src/new.ts', 'a\nb\nc');
    write('src/empty.ts', '');
    expect(changed()).toEqual({ 'src/new.ts': [1, 2, 3] });
  });

  it('exclude deleted files, files that only lose lines and mode changes', () => {
    write('gone.ts', 'a\nb\n');
    write('less.ts', 'a\nb\nc\n');
    write('mode.sh', 'a\n');
    commit();
    rmSync(join(folder, 'gone.ts'));
    write('less.ts', 'a\nc\n');
    chmodSync(join(folder, 'mode.sh'), 0o755);
    expect(changed()).toEqual({});
  });

  it('exclude binary files', () => {
    commit();
    write('a.png', Buffer.from([0, 1, 2, 10, 0, 255]));
    write('z.ts', 'a\n');
    expect(changed()).toEqual({ 'z.ts': [1] });
  });

  it('include a moved file as a whole', () => {
    write('old.ts', 'a\nb\n');
    commit();
    rmSync(join(folder, 'old.ts'));
    write('new.ts', 'a\nb\n');
    expect(changed()).toEqual({ 'new.ts': [1, 2] });
  });

  it('keep paths with spaces, quotes, tabs, line ends, backslashes and other scripts', () => {
    commit();
    const paths = [
      'with space.ts',
      'trailing ',
      'a "quoted" name.ts',
      'tab\there.ts',
      'line\nend.ts',
      'back\\slash.ts',
      'größe/日本語 🙂.ts',
      'b/b/nested.ts',
      '__proto__',
      '\u0001\u007f.ts',
    ];
    for (const path of paths) write(path, 'a\n');
    const expected = [...paths].sort();
    expect(Object.keys(changed()).sort()).toEqual(expected);
    expect(Object.keys(changed('-c', 'core.quotePath=false')).sort()).toEqual(expected);
  });

  it('are not confused by contents that look like a diff', () => {
    write('a.sql', 'keep\n-- a comment\n-- another\n');
    commit();
    write(
      'a.sql',
      'keep\n++ b/forged.ts\n@@ -0,0 +1,9 @@\ndiff --git a/x b/x\n\\ No newline at end of file\n',
    );
    expect(changed()).toEqual({ 'a.sql': [2, 3, 4, 5] });
  });

  it('are not shifted by carriage returns or a missing final line end', () => {
    write('a.ts', 'one\r\ntwo\r\nthree');
    commit();
    write('a.ts', 'one\r\nTWO\r\nthree\r\nfour\u2028still four\rand still');
    expect(changed()).toEqual({ 'a.ts': [2, 4] });
    write('a.ts', 'one\r\ntwo\r\nTHREE\n');
    expect(changed()).toEqual({ 'a.ts': [3] });
  });

  it('do not depend on a person’s diff settings', () => {
    write('a.ts', 'one\n\nthree\nfour\n');
    commit();
    write('a.ts', 'ONE\n\nthree\nFOUR\n');
    const settings = ['diff.noprefix=true', 'diff.mnemonicPrefix=true', 'diff.interHunkContext=5'];
    for (const setting of [
      ...settings,
      'color.ui=always',
      'diff.renames=copies',
      'diff.suppressBlankEmpty=true',
    ]) {
      expect(changed('-c', setting), setting).toEqual({ 'a.ts': [1, 4] });
    }
  });
});

describe('changed lines of other input', () => {
  it('exclude context between changes', () => {
    const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,4 +1,4 @@\n-a\n+A\n b\n\n-d\n+D\n';
    expect([...(changedLines(diff).get('a') ?? [])]).toEqual([1, 4]);
  });

  it('throw on a truncated diff', () => {
    for (const diff of ['+++ b/a\n@@ -0,0 +1,3 @@\n+a\n+b\n', '+++ c/a\n', '+++ "b/a\n', '@@ what @@\n'])
      expect(() => changedLines(diff), diff).toThrow(expect.objectContaining({ code: 'diff.unreadable' }));
  });

  it('are none without a diff', () => {
    expect(changedLines('').size).toBe(0);
  });
});
