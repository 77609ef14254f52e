import { describe, expect, it } from 'vitest';
import { withoutRemovedImports } from '../../../src/verification/test-side/loadable-imports.ts';
import { findMissing, withoutMissing } from '../../../src/verification/test-side/missing-imports.ts';

const names = (path: string, text: string, output: string) => [
  ...withoutMissing(path, text, findMissing(output)).names,
];

describe('what a run says is missing', () => {
  it.each([
    [
      "The requested module '../src/a.js' does not provide an export named 'old'",
      "import { kept, old as o } from '../src/a.js';",
      ['o'],
    ],
    [
      "The requested module 'calc' does not provide an export named 'old'",
      "import { old } from 'calc';",
      ['old'],
    ],
    [
      "Named export 'old' not found. The requested module '../src/a.cjs' is a CommonJS module",
      "import { old } from '../src/a.cjs';",
      ['old'],
    ],
    [
      "Cannot find module '/work/src/a.js' imported from /work/test/a.test.js",
      "import a, { b } from '../src/a.js';\nimport { c } from '../src/c.js';",
      ['a', 'b'],
    ],
    [
      "Cannot find module '/work/src/a.js' imported from /work/test/a.test.js",
      "import { a } from '#src/a.js';",
      ['a'],
    ],
    [
      'Failed to resolve import "@/a" from "test/a.test.ts". Does the file exist?',
      "import { a } from '@/a';",
      ['a'],
    ],
    [
      "error TS2305: Module '\"../src/a\"' has no exported member 'old'.",
      "import { old } from '../src/a';",
      ['old'],
    ],
    ["Cannot find module '../src/a'\nRequire stack:", "const { b: c } = require('../src/a');", ['c']],
  ])('%s', (output, text, expected) => {
    expect(names('test/a.test.js', text, output)).toEqual(expected);
  });

  it.each([
    [
      "ImportError: cannot import name 'old' from 'calc.core' (/work/calc/core.py)",
      'from ..core import kept, old',
      ['old'],
    ],
    [
      "ImportError: cannot import name 'old' from 'app.core' (/work/backend/app/core.py)",
      'from app.core import old',
      ['old'],
    ],
    [
      "ModuleNotFoundError: No module named 'app.core'",
      'from app.core import a\nfrom app.corex import b',
      ['a'],
    ],
    ["ModuleNotFoundError: No module named 'app.core'", 'from app.core.part import a', ['a']],
  ])('%s in Python', (output, text, expected) => {
    expect(names('backend/tests/test_core.py', text, output)).toEqual(expected);
  });

  it('concerns no other import of the same name or module', () => {
    const output = "The requested module '../src/a.js' does not provide an export named 'old'";
    expect(names('test/a.test.js', "import { old } from '../src/b.js';", output)).toEqual([]);
    expect(names('test/a.test.js', "import { old } from './a.js';", output)).toEqual([]);
  });

  it('is not loaded for its effect, by a dynamic import or for a member', () => {
    const missing = findMissing("Cannot find module '/work/src/old.js' imported from /work/test/a.test.js");
    const text =
      "import '../src/old.js';\nconst { old } = await import('../src/old.js');\nconst one = require('../src/old.js').one;\n";
    const { text: loadable, names: gone } = withoutMissing('test/a.test.js', text, missing);
    expect(loadable).toBe('\nconst { old } = ({});\nconst one = ({}).one;\n');
    expect([...gone]).toEqual(['old', 'one']);
  });
});

it('a moved name is imported from its new module as the old one was', () => {
  const moved = new Map([['total', 'backend/app/money/core.py']]);
  const adjusted = (path: string, text: string) =>
    withoutRemovedImports(path, text, new Set(['total']), moved);
  expect(adjusted('backend/tests/test_core.py', 'from app.core import total\n')).toBe(
    'from app.money.core import total\n',
  );
  expect(adjusted('backend/app/tests/test_core.py', 'from ..core import total\n')).toBe(
    'from ..money.core import total\n',
  );
});
