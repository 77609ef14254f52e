import { expect, it } from 'vitest';
import { followExportForms } from '../../../src/verification/test-side/export-forms.ts';

const NAMED = 'export function total(items) {}\nexport const zero = 0;\n';
const DEFAULT = 'export default function total(items) {}\nexport const zero = 0;\n';

const followed = (text: string, before: string, after: string): string =>
  followExportForms('test/total.test.js', text, (path) =>
    path === 'src/total.js' ? { before, after } : undefined,
  );

it.each([
  ["import total from '../src/total.js';", "import { total } from '../src/total.js';"],
  ["import total, { zero } from '../src/total.js';", "import { total, zero } from '../src/total.js';"],
  ["import total from '../src/other.js';", "import total from '../src/other.js';"],
  ["import sum from '../src/total.js';", "import sum from '../src/total.js';"],
])('%s follows a default export that became a named one', (text, expected) => {
  expect(followed(text, DEFAULT, NAMED)).toBe(expected);
  expect(followed(text, DEFAULT, DEFAULT)).toBe(text);
});

it.each([
  ["import { total } from '../src/total.js';", "import total from '../src/total.js';"],
  ["import { zero, total as sum } from '../src/total.js';", "import sum, { zero } from '../src/total.js';"],
  [
    "import {\n  total,\n  zero,\n} from '../src/total.js';",
    "import total, { zero }\n\n\n from '../src/total.js';",
  ],
  ["import * as all from '../src/total.js';", "import * as all from '../src/total.js';"],
])('%j follows a named export that became the default one', (text, expected) => {
  expect(followed(text, NAMED, DEFAULT)).toBe(expected);
});

it('hostile text is read in linear time', () => {
  for (const piece of ['import ', 'import {', 'a, ', 'export { ', 'export default '])
    for (const module of [piece.repeat(50_000), `${DEFAULT}${piece.repeat(50_000)}`]) {
      const text = `${piece.repeat(50_000)}\nimport total from '../src/total.js';\n`;
      expect(followed(text, module, NAMED).length).toBeGreaterThan(0);
    }
});
