import { afterAll, describe } from 'vitest';
import { rows } from '../../support/thorough.ts';
import { CheatBase, HONEST, MULTIPLY, UNMEASURED_PROJECT } from './cheat-project.ts';
import { type Cheat, tryEach } from './expect-stopped.ts';

const base = new CheatBase(UNMEASURED_PROJECT);
afterAll(() => base.cleanup());

const WRONG = MULTIPLY.replace('*', '+');
const reason = /assert(?:\.strict)?\.equal\b/;

const CHEATS: Cheat[] = [
  {
    name: 'product code that disarms an assertion function does not pass',
    files: {
      ...HONEST,
      'src/multiply.js': `import assert from 'node:assert/strict';\n\nassert.equal = () => {};\n${WRONG}`,
    },
    gate: 'tests',
    reason,
  },
  {
    name: 'product code that hides one wrong result does not pass',
    files: {
      ...HONEST,
      'src/multiply.js': `import assert from 'node:assert/strict';\n\nconst { equal } = assert;\nassert.equal = (a, b) => a === 5 || equal(a, b);\n${WRONG}`,
    },
    gate: 'tests',
    reason,
  },
];

describe.concurrent('disarmed assertions', () => tryEach(base, rows(1, CHEATS)));
