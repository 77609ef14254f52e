import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LOOKS = fileURLToPath(
  new URL('../../../src/verification/runners/tap/function-location.cjs', import.meta.url),
);

it('looking up where functions are defined leaves their coverage as it is', () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'sign.js'),
    "exports.sign = (number) => {\n  if (number < 0) {\n    return '-';\n  }\n  return '+';\n};\n",
  );
  writeFileSync(
    join(folder, 'sign.test.js'),
    `const { sign } = require('./sign.js');
require('node:test').test('less', () => require('node:assert').equal(sign(-1), '-'));
process.on('exit', () => {
  const [path] = require(${JSON.stringify(LOOKS)}).locationsOf([sign]);
  require('node:fs').writeFileSync('path', path);
});
`,
  );
  const { NODE_V8_COVERAGE: _coverage, NODE_OPTIONS: _options, ...env } = process.env;
  const report = ['--test-reporter=lcov', '--test-reporter-destination=lcov.info'];
  const args = ['--test', '--experimental-test-coverage', ...report, 'sign.test.js'];
  execFileSync(process.execPath, args, { cwd: folder, env: { ...env, NODE_TEST_CONTEXT: undefined } });
  expect(readFileSync(join(folder, 'path'), 'utf8')).toBe(join(folder, 'sign.js'));
  const [, ofSign = ''] = readFileSync(join(folder, 'lcov.info'), 'utf8').split(/^SF:sign\.js$/m);
  expect(ofSign).toMatch(/^DA:3,[1-9]/m);
  expect(ofSign).toMatch(/^DA:5,0/m);
});

it('neither does it spoil the coverage that jest and vitest ask of V8 themselves', () => {
  const folder = temporaryFolder();
  const product = "exports.sign = (number) => {\n  if (number < 0) return '-';\n  return '+';\n};\n";
  writeFileSync(join(folder, 'sign.js'), product);
  writeFileSync(
    join(folder, 'covered.js'),
    `const session = new (require('node:inspector').Session)();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { sign } = require('./sign.js');
sign(-1);
require(${JSON.stringify(LOOKS)}).locationsOf([sign]);
session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
  const { functions } = result.find(({ url }) => url.endsWith('/sign.js'));
  process.stdout.write(JSON.stringify(functions.flatMap(({ ranges }) => ranges)));
});
`,
  );
  const ranges = JSON.parse(
    execFileSync(process.execPath, ['covered.js'], { cwd: folder, encoding: 'utf8' }),
  ) as {
    startOffset: number;
    count: number;
  }[];
  expect(ranges).toContainEqual(expect.objectContaining({ count: 0 }));
  const [uncovered] = ranges.filter(({ count }) => count === 0);
  expect(product.slice(uncovered?.startOffset)).toContain("return '+'");
});
