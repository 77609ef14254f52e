import { describe } from 'vitest';
import { rows } from '../../support/thorough.ts';
import { HONEST_CHANGE, MEASURE_TESTS } from '../../support/verified-project.ts';
import { config, type HonestChange, passEach } from './honest-change.ts';

const LOOP = 'for (let i = 0; i < 10; i += 1) {\n  if (i === 20) {\n    console.log(i);\n  }\n}\n'.repeat(5);

const CHANGES: HonestChange[] = [
  {
    name: 'benchmarks, examples, documentation, fixtures, settings and scripts that no test runs',
    files: {
      ...HONEST_CHANGE,
      'benchmark/index.js': LOOP,
      'examples/loop.js': LOOP,
      'docs/conf.js': LOOP,
      'test/fixtures/nested.js': LOOP,
      'rollup.config.js': LOOP,
      '.eslintrc.cjs': LOOP,
      'gulpfile.js': LOOP,
      'scripts/release.js': LOOP,
      'types/index.d.ts': 'export declare function sub(a: number, b: number): number;\n',
    },
    says: { coverage: /benchmark\/index\.js \(benchmark\)/ },
  },
  {
    name: 'tested code behind a comment that excludes it from coverage',
    files: {
      ...HONEST_CHANGE,
      'src/sub.js': `/* node:coverage ignore next 3 */\n${HONEST_CHANGE['src/sub.js']}`,
    },
    says: { coverage: /100\.0%.*src\/sub\.js:1/ },
  },
  {
    name: 'data created by the change that a check reads',
    base: {
      '.guardkit/config.yaml': `${config(MEASURE_TESTS)}  checks:\n    - name: data\n      command: cat data.json\n      expect: {non_empty: stdout}\n`,
    },
    files: { ...HONEST_CHANGE, 'data.json': '{"numbers":[1,2]}\n' },
  },
];

describe.concurrent('only product code counts, and only programs judge:', () => passEach(rows(1, CHANGES)));
