import { afterAll, describe, expect, it } from 'vitest';
import { gate, HONEST_CHANGE, RUN_TESTS } from '../../support/verified-project.ts';
import { projectOfTasks } from './tasks-project.ts';

const JUNIT =
  '<?xml version="1.0"?><testsuites><testsuite name="calc"><testcase classname="calc" name="adds"/></testsuite></testsuites>';
const lcov = (path: string) => `TN:\nSF:${path}\nDA:1,1\nend_of_record\n`;
const tests = (command: string) => `tests:\n  command: ${JSON.stringify(command)}\n  report: junit.xml\n`;
const coverage = (command: string) =>
  `coverage:\n  command: ${JSON.stringify(command)}\n  report: out/lcov.info\n`;

/** The reports are in the tree; what a command does with them is defined on the base. */
const project = projectOfTasks(
  {
    'TASK-GOOD': tests('cp reports/good.xml junit.xml'),
    'TASK-MALFORMED': tests('printf "<testsuites><testsuite><testcase name=" > junit.xml'),
    'TASK-HUGE': tests('truncate -s 300M junit.xml'),
    'TASK-EMPTY': tests('printf "" > junit.xml'),
    'TASK-NONE': tests('true'),
    'TASK-LINK': tests('cp reports/good.xml /tmp/good.xml; ln -s /tmp/good.xml junit.xml'),
    'TASK-DEEP': tests(`awk 'BEGIN { for (i = 0; i < 200000; i++) printf "<testsuite>" }' > junit.xml`),
    'TASK-ENTITY': tests(
      `printf '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><testsuites><testsuite><testcase name="&b;"/></testsuite></testsuites>' > junit.xml`,
    ),
    'TASK-PROTO': tests(
      `printf '%s' '{"numTotalTests":1,"__proto__":{"x":1},"testResults":[{"name":"__proto__"}]}' > junit.xml`,
    ),
    'TASK-ELSEWHERE': coverage('mkdir -p out; cp reports/elsewhere.info out/lcov.info'),
    'TASK-OLD': coverage('true'),
    'TASK-BROKEN': coverage('mkdir -p out; head -c 1000 /dev/zero > out/lcov.info'),
    'TASK-STRANGER': coverage('mkdir -p out; ln -s ../reports/mine.info out/lcov.info'),
    'TASK-BOMB': '',
  },
  {
    '.guardkit/config.yaml': `project: calc-1234\nverify:\n  tests:\n    command: ${RUN_TESTS}\n`,
    'reports/good.xml': JUNIT,
    'reports/elsewhere.info': lcov('/home/somebody/other/src/sub.js'),
    'reports/mine.info': lcov('src/sub.js'),
    // Of another run: it is in the tree already.
    'junit.xml': JUNIT,
    'out/lcov.info': lcov('src/sub.js'),
  },
);
afterAll(() => project.cleanup());

async function testsGate(id: string) {
  return gate((await project.verify([id])).json, 'tests');
}

describe.concurrent('a test report that', () => {
  it('is valid is read, as a reference for the others', async () => {
    expect(await testsGate('TASK-GOOD')).toMatchObject({
      result: 'pass',
      reason: expect.stringMatching(/\b1\b/),
    });
  });

  const REFUSED: [name: string, id: string, reason: RegExp][] = [
    ['breaks off', 'TASK-MALFORMED', /junit\.xml/],
    ['is larger than any report', 'TASK-HUGE', /\b200 MB\b/],
    ['is empty', 'TASK-EMPTY', /junit\.xml/],
    ['lies in the tree but was not written by this run', 'TASK-NONE', /junit\.xml/],
    ['is a link out of the tree', 'TASK-LINK', /junit\.xml/],
    ['is endlessly nested', 'TASK-DEEP', /junit\.xml/],
    ['is JSON with invalid names', 'TASK-PROTO', /./],
  ];
  for (const [name, id, reason] of REFUSED)
    it(`${name} does not pass, and the reason names it`, async () => {
      const said = await testsGate(id);
      expect(said.result).not.toBe('pass');
      expect(said.reason).toMatch(reason);
    });

  it('defines entities is not expanded', async () => {
    const said = await testsGate('TASK-ENTITY');
    expect(`${said.result} ${said.reason}`).not.toContain('aaaa');
  });
});

describe.concurrent('a coverage report that', () => {
  const REFUSED: [name: string, id: string, reason: RegExp][] = [
    ['describes another tree', 'TASK-ELSEWHERE', /./],
    ['lies in the tree but was not written by this run', 'TASK-OLD', /out\/lcov\.info/],
    ['is no report', 'TASK-BROKEN', /out\/lcov\.info/],
    ['is a link', 'TASK-STRANGER', /out\/lcov\.info/],
  ];
  for (const [name, id, reason] of REFUSED)
    it(`${name} does not count`, async () => {
      const { json, exitCode } = await project.verify([id]);
      expect(exitCode).toBe(1);
      expect(gate(json, 'coverage').result).not.toBe('pass');
      expect(gate(json, 'coverage').reason).toMatch(reason);
    });
});

describe('names of tests', () => {
  it('that are regex bombs, very long or unprintable do no harm', async () => {
    const names = [
      `${'a'.repeat(100_000)}!`,
      `AC-001 ${'AC-00 '.repeat(20_000)}`,
      '((((((((((a+)+)+)+)+)+)+)+)+)+)+$',
      `${' '.repeat(50_000)}x`,
      '> '.repeat(20_000),
      '__proto__',
      'constructor',
      '\u001b[2J\u001b[31mred\u0007\u202e',
      '\u0000\ud800',
    ];
    const text = names
      .map((name) => `test(${JSON.stringify(name)}, () => assert.ok(sub(1, 1) === 0));`)
      .join('\n');
    project.write({
      'test/sub.test.js': `${HONEST_CHANGE['test/sub.test.js']}\n${text}\ntest('\\u001b[2Jfails', () => assert.fail('no'));\n`,
    });
    const { json } = await project.verify(['TASK-BOMB']);
    expect(gate(json, 'tests')).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/\b1\b.*\b12\b/),
    });
    const { stdout } = await project.guardkit(['verify', 'TASK-BOMB']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    expect(stdout.length).toBeLessThan(20_000);
  });
});
