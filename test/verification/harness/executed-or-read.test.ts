import { describe, expect, it } from 'vitest';
import { type Files, shortChanges } from './tree-fixture.ts';

const BASE: Files = {
  'package.json': JSON.stringify({ name: 'x', bin: { x: 'bin/x.js' }, scripts: { data: 'jq . data.json' } }),
  'cli.js': '1',
  'bin/x.js': '1',
  'convert.js': '1',
  'tests/convert.test.js': "import { convert } from '../convert.js';\n",
  'validate.js': '1',
  'scripts/check-data.js': '1',
  'scripts/check-data.sh': 'jq . data.json | diff - expected.json\n',
  'calc/__init__.py': '',
  'calc/report.py': '1',
  'filter.jq': '.',
  'expected.json': '[]',
};
const DATA: Record<string, string> = { 'data.json': '{"a":1}', 'input.csv': 'a,b\n', 'notes.yaml': 'a: 1\n' };

describe('data that a command only reads is not part of the harness', () => {
  it.each([
    'cat data.json',
    'jq . data.json',
    'npm run data',
    'test -s data.json && grep -q a data.json',
    '[ -f data.json ]',
    'node cli.js data.json',
    'node bin/x.js --input data.json --format csv input.csv',
    'python3 -m calc.report data.json notes.yaml',
    'python3 -m json.tool data.json',
    "node -e \"JSON.parse(require('fs').readFileSync('data.json'))\"",
    'node -e "process.exit(require(\'./data.json\').a)"',
    'python3 -c "import json; json.load(open(\'data.json\'))"',
    'node cli.js < data.json > out.json',
    'cat data.json | node cli.js | wc -l',
    'env DATA=data.json node cli.js',
    'some-validator data.json',
    'some-validator --input=data.json',
    './scripts/check-data.sh data.json',
    'xmllint --noout notes.yaml',
    'bash -c "cat data.json"',
    'head -1 input.csv | grep -q a',
    'for f in data.json notes.yaml; do cat "$f"; done',
  ])('%s', async (command) => {
    expect(await shortChanges(command, BASE, DATA)).toEqual([]);
    const changed = { 'data.json': '{}', 'input.csv': 'x', 'notes.yaml': 'b: 2' };
    expect(await shortChanges(command, { ...BASE, ...DATA }, changed)).toEqual([]);
  });

  it('nor are the settings of runners', async () => {
    const changed = { 'vitest.config.ts': '', 'pytest.ini': '', '.mocharc.json': '{}' };
    expect(await shortChanges('cat data.json', BASE, changed)).toEqual([]);
  });
});

describe('the product that a command runs is not part of the harness', () => {
  it.each([
    ['node cli.js data.json', { 'cli.js': '2' }],
    ['node bin/x.js', { 'bin/x.js': '2' }],
    ['node convert.js data.json', { 'convert.js': '2' }],
    ['node new.js data.json', { 'new.js': '2' }],
    ['python3 -m calc.report', { 'calc/report.py': '2' }],
    ['node -e "require(\'./convert.js\').convert()"', { 'convert.js': '2' }],
    ['python3 main.py', { 'main.py': '2' }],
  ])('%s', async (command, changed) => {
    expect(await shortChanges(command, BASE, changed)).toEqual([]);
  });
});

describe('programs that a command executes and results that it compares with are part of the harness', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['node validate.js', { 'validate.js': '0' }, ['changed validate.js whole file']],
    [
      'node scripts/check-data.js data.json',
      { 'scripts/check-data.js': '0' },
      ['changed scripts/check-data.js whole file'],
    ],
    [
      './scripts/check-data.sh',
      { 'scripts/check-data.sh': 'true\n' },
      ['changed scripts/check-data.sh whole file'],
    ],
    ['./scripts/check-data.sh', { 'expected.json': '{}' }, ['changed expected.json expected result']],
    [
      'node cli.js | diff - expected.json',
      { 'expected.json': '{}' },
      ['changed expected.json expected result'],
    ],
    ['jq -f filter.jq data.json', { 'filter.jq': 'empty' }, ['changed filter.jq whole file']],
    ['node --require ./validate.js cli.js', { 'validate.js': '0' }, ['changed validate.js whole file']],
    [
      'NODE_OPTIONS="--import ./validate.js" node cli.js',
      { 'validate.js': '0' },
      ['changed validate.js whole file'],
    ],
    ['node new-check.js', { 'new-check.js': '0' }, ['added new-check.js whole file']],
    [
      'sh < scripts/check-data.sh',
      { 'scripts/check-data.sh': 'true\n' },
      ['changed scripts/check-data.sh whole file'],
    ],
    [
      '. scripts/check-data.sh',
      { 'scripts/check-data.sh': 'true\n' },
      ['changed scripts/check-data.sh whole file'],
    ],
    ['cat data.json && ./mystery', { 'pytest.ini': '' }, ['added pytest.ini whole file']],
    ['$(cat command)', { 'pytest.ini': '' }, ['added pytest.ini whole file']],
    ['ajv validate -s schema.json -d data.json', { 'schema.json': '{}' }, []],
  ])('%s', async (command, changed, expected) => {
    const found = await shortChanges(command, { ...BASE, ...DATA }, changed);
    if (expected.length === 0) expect(found).toEqual([]);
    else expect(found).toEqual(expect.arrayContaining(expected));
  });

  it('a test that imports a script does not silently remove it from the harness', async () => {
    const base = { 'judge.js': '1', 'package.json': '{}' };
    const changed = { 'judge.js': '0', 'a.test.js': "import './judge.js';\n" };
    expect(await shortChanges('node judge.js', base, changed)).toEqual([
      expect.stringMatching(/^removed judge\.js /),
    ]);
  });
});
