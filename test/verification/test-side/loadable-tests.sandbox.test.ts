import { describe, expect, it } from 'vitest';
import { followRenames } from '../../../src/verification/test-side/follow-renames.ts';
import {
  withoutImports,
  withoutRemovedImports,
} from '../../../src/verification/test-side/loadable-imports.ts';
import { findMovedNames, removedImports } from '../../../src/verification/test-side/removed-imports.ts';

describe('imports of moved files', () => {
  const js = (text: string, from: string, to: string) =>
    followRenames('test/a.test.js', text, new Map([[from, to]]));
  const python = (text: string, from: string, to: string) =>
    followRenames('tests/test_a.py', text, new Map([[from, to]]));

  it('are redirected in JavaScript, in the same form', () => {
    expect(js("import { a } from '../src/a.js';", 'src/a.js', 'src/x/a.js')).toBe(
      "import { a } from '../src/x/a.js';",
    );
    expect(js("require('../src/a')", 'src/a.js', 'lib/b.js')).toBe("require('../lib/b')");
    expect(js('vi.mock("../src/a.js")', 'src/a.ts', 'src/x/b.ts')).toBe('vi.mock("../src/x/b.js")');
    expect(js("import '../src';", 'src/index.ts', 'lib/index.ts')).toBe("import '../lib';");
    expect(js("import './helper.js';", 'src/helper.js', 'src/x.js')).toBe("import './helper.js';");
  });

  it('are redirected in Python', () => {
    expect(python('from pkg.a import x\n', 'src/pkg/a.py', 'src/pkg/b/a.py')).toBe('from pkg.b.a import x\n');
    expect(python('from pkg import a\n', 'pkg/a.py', 'pkg/b/c.py')).toBe('from pkg.b import c as a\n');
    expect(python('import a\na.x()\n', 'a.py', 'pkg/b.py')).toBe('import pkg.b as a\na.x()\n');
    expect(python('patch("pkg.a.x")\n', 'pkg/a.py', 'pkg/b.py')).toBe('patch("pkg.b.x")\n');
    expect(python('from pkg.ab import x\n', 'pkg/a.py', 'pkg/b.py')).toBe('from pkg.ab import x\n');
  });
});

describe('imports of removed names', () => {
  const versions = {
    before: 'export const add = 1;\nexport const sub = 2;\n',
    after: 'export const add = 1;\n',
  };

  it('are found, and no longer stop a file from loading', () => {
    const text = "import { add, sub as minus } from '../src/a.js';\n";
    const removed = removedImports('test/a.test.js', text, (path) =>
      path === 'src/a.js' ? versions : undefined,
    );
    expect([...removed]).toEqual(['minus']);
    const loadable = withoutRemovedImports('test/a.test.js', text, removed);
    expect(loadable).toContain('import { add }');
    expect(loadable).toContain('const minus = [];');
  });

  it('are found in Python too', () => {
    const text = 'from pkg.a import add, sub\n';
    const removed = removedImports('tests/test_a.py', text, (path) =>
      path === 'pkg/a.py' ? versions : undefined,
    );
    expect([...removed]).toEqual(['sub']);
    expect(withoutRemovedImports('tests/test_a.py', text, removed)).toBe('from pkg.a import add; sub = ()\n');
  });

  it('are none if the module still has them', () => {
    const same = { before: versions.before, after: versions.before };
    expect(removedImports('test/a.test.js', "import { sub } from '../src/a.js';", () => same).size).toBe(0);
  });

  it('are redirected to the file that now has the name', () => {
    const moved = findMovedNames(
      new Map([
        ['src/a.js', { before: versions.before, after: versions.after }],
        ['src/b.js', { before: '', after: 'export function sub() {}\n' }],
      ]),
    );
    expect([...moved]).toEqual([['sub', 'src/b.js']]);
    const text = "import { sub } from '../src/a.js';\n";
    expect(withoutRemovedImports('test/a.test.js', text, new Set(['sub']), moved)).toContain(
      "from '../src/b.js'",
    );
    const python = new Map([['add', 'src/pkg/sums.py']]);
    expect(withoutRemovedImports('t.py', 'from pkg.a import add\n', new Set(['add']), python)).toBe(
      'from pkg.sums import add\n',
    );
  });

  it('are redirected in Python too if their old module still uses them, or only a test imports them', () => {
    const before = 'class Facade:\n    pass\n';
    const after = 'def facade():\n    from ._compat import Facade\n\n    return Facade()\n';
    const versions = new Map([
      ['src/pkg/manager.py', { before, after }],
      ['src/pkg/_compat.py', { before: '', after: before }],
    ]);
    const moved = findMovedNames(versions);
    const adjusted = (text: string) => {
      const removed = removedImports('tests/test_a.py', text, (path) => versions.get(path), moved);
      return withoutRemovedImports('tests/test_a.py', text, removed, moved);
    };
    expect(adjusted('from pkg.manager import Facade\n')).toBe('from pkg._compat import Facade\n');
    const inTest = (module: string) => `def test_a():\n    from ${module} import Facade\n\n    Facade()\n`;
    expect(adjusted(inTest('pkg.manager'))).toBe(inTest('pkg._compat'));
    versions.set('src/pkg/manager.py', { before, after: `from ._compat import Facade\n${after}` });
    expect(adjusted(inTest('pkg.manager'))).toBe(inTest('pkg.manager'));
  });

  it('are found in every form in which JavaScript loads a module that is gone', () => {
    const gone = { before: 'module.exports = 1;\n', after: undefined };
    const adjusted = (text: string) => {
      const find = (path: string) => (path === 'src/a.js' ? gone : undefined);
      const removed = removedImports('test/a.test.js', text, find);
      return [[...removed], withoutRemovedImports('test/a.test.js', text, removed)];
    };
    expect(adjusted("import a from '../src/a.js'; // the value\n")).toEqual([
      ['a'],
      'const a = []; // the value\n',
    ]);
    expect(adjusted("import * as a from '../src/a.js';\n")).toEqual([['a'], 'const a = [];\n']);
    expect(adjusted("import a, {\n  b,\n  c as d,\n} from '../src/a.js';\n")).toEqual([
      ['a', 'b', 'd'],
      'const a = []; const b = []; const d = [];\n\n\n\n',
    ]);
    expect(adjusted("var a = require('../src/a')\n")).toEqual([['a'], 'const a = [];\n']);
    expect(adjusted("const { b, c: d } = require('../src/a');\n")).toEqual([
      ['b', 'd'],
      'const b = []; const d = [];\n',
    ]);
    const others = "import { it } from 'vitest';\nconst b = require('../src/b').a;\n";
    expect(adjusted(others)).toEqual([[], others]);
  });

  it('are found if only the default export is gone', () => {
    const text = "import a, { b } from '../src/a.js';\n";
    const versions = { before: 'export default 1;\nexport const b = 2;\n', after: 'export const b = 2;\n' };
    const removed = removedImports('test/a.test.js', text, () => versions);
    expect(withoutRemovedImports('test/a.test.js', text, removed)).toBe(
      "import { b } from '../src/a.js'; const a = [];\n",
    );
  });

  it('are found in every form in which Python loads a module that is gone', () => {
    const adjusted = (text: string) => {
      const find = (path: string) =>
        path === 'src/pkg/a.py' ? { before: 'b = 1\n', after: undefined } : undefined;
      const removed = removedImports('tests/test_a.py', text, find);
      return withoutRemovedImports('tests/test_a.py', text, removed);
    };
    expect(adjusted('from pkg.a import b  # noqa\n')).toBe('b = ()\n');
    expect(adjusted('from pkg.a import (\n    b,  # one\n    c as d,\n)\n')).toBe('b = (); d = ()\n');
    expect(adjusted('from pkg import a, c\n')).toBe('from pkg import c; a = ()\n');
    expect(adjusted('import os, pkg.a as x\n')).toBe('import os; x = ()\n');
    expect(adjusted('import pkg.a\n')).toBe('import pkg\n');
    expect(adjusted('import os.a, pkg.b\nimport pkg.a\n')).toBe('import os.a, pkg.b\nimport pkg\n');
  });

  it('are not searched in statements that import them', () => {
    const js = "import './set-up';\nimport a, {\n  b,\n} from './a';\nconst { c } = require('./c');\nb();\n";
    expect(withoutImports('a.test.js', js)).toBe('\n\n\n\n\nb();\n');
    const python = 'import a\nfrom b import (\n    c,\n)\nc()\n';
    expect(withoutImports('test_a.py', python)).toBe('\n\n\n\nc()\n');
  });

  it('take no longer in a hostile file', () => {
    const space = ' '.repeat(100_000);
    const js = `import${space}x\nconst a =${space}require(${space}'x'${space}.\n`.repeat(3);
    expect(withoutRemovedImports('a.test.js', js, new Set(['x']))).toBe(js);
    const python = `from a import${space}(\n`.repeat(3);
    expect(withoutRemovedImports('test_a.py', python, new Set(['x']))).toBe(python);
  });
});
