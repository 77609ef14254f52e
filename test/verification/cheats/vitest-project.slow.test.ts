import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { CheatBase, config, MULTIPLY, NODE_PROJECT } from './cheat-project.ts';
import { type Cheat, tryEach } from './expect-stopped.ts';

/** The node_modules of this package; a set-up that links them is free. */
const PACKAGES = realpathSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)));

const TEST = `import { expect, test } from 'vitest';
import { add } from '../src/add.js';

test('adds two numbers', () => {
  expect(add(2, 3)).toBe(5);
});
`;
const NEW_TEST = `import { expect, test } from 'vitest';
import { multiply } from '../src/multiply.js';

test('multiplies two numbers', () => {
  expect(multiply(2, 3)).toBe(6);
});
`;
const HONEST = { 'src/multiply.js': MULTIPLY, 'test/multiply.test.js': NEW_TEST };
const WRONG = { ...HONEST, 'src/multiply.js': MULTIPLY.replace('*', '+') };

const base = new CheatBase({
  'tasks/TASK-001.md': NODE_PROJECT['tasks/TASK-001.md'] ?? '',
  'src/add.js': NODE_PROJECT['src/add.js'] ?? '',
  '.guardkit/config.yaml': config(
    `setup: mkdir node_modules && ln -s "${PACKAGES}"/* "${PACKAGES}"/.bin node_modules/\ntests:\n  command: node_modules/.bin/vitest run\n`,
  ),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
  '.gitignore': 'node_modules\n',
  'package.json': '{ "type": "module", "devDependencies": { "vitest": "4" } }\n',
  'vitest.config.js': "export default { test: { include: ['test/**/*.test.js'] } };\n",
  'test/add.test.js': TEST,
});
afterAll(() => base.cleanup());

it.concurrent('the honest change behind these cheats passes', async () => {
  const answer = await base.project().write(HONEST).verify();
  expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
});

const CHEATS: Cheat[] = [
  {
    name: 'a vitest config that looks elsewhere is a changed harness',
    files: { ...WRONG, 'vitest.config.js': "export default { test: { include: ['test/add.test.js'] } };\n" },
    gate: 'harness',
    reason: /vitest\.config\.js/,
  },
  {
    name: 'a second config that vitest prefers is a changed harness',
    files: { ...WRONG, 'vitest.config.ts': "export default { test: { include: ['test/add.test.js'] } };\n" },
    gate: 'harness',
    reason: /vitest\.config\.ts/,
  },
  {
    name: 'a test that expects its own failure does not count as passing',
    files: {
      ...WRONG,
      'test/add.test.js': TEST.replace("test('adds", "test.fails('adds"),
      'src/add.js': 'export const add = () => 0;\n',
    },
    gate: 'no-test-lost',
    reason: /adds two numbers/,
  },
  {
    name: 'an error swallowed outside a test is still reported',
    files: {
      ...HONEST,
      'test/multiply.test.js': `${NEW_TEST}\nsetTimeout(() => {\n  throw new Error('late');\n}, 0);\nawait new Promise((resolve) => setTimeout(resolve, 50));\n`,
    },
    gate: 'tests',
    reason: /late|exit 1/,
  },
  {
    name: 'a test that ends its worker does not pass',
    files: { ...HONEST, 'test/multiply.test.js': `${NEW_TEST}\nprocess.reallyExit(0);\n` },
    gate: 'tests',
    reason: /./,
  },
  {
    name: 'a custom `expect` is reported',
    files: {
      ...WRONG,
      'test/multiply.test.js': NEW_TEST.replace(
        "import { expect, test } from 'vitest';",
        "import { test } from 'vitest';\nconst expect = () => ({ toBe() {} });",
      ),
      'test/add.test.js': TEST.replace(
        "import { expect, test } from 'vitest';",
        "import { test } from 'vitest';\nconst expect = () => ({ toBe() {} });",
      ),
      'src/add.js': 'export const add = () => 0;\n',
    },
    gate: 'no-test-lost',
    code: 'replaced',
    reason: /"expect"/,
  },
];

describe.concurrent('tests of vitest that lie', () => tryEach(base, CHEATS));
