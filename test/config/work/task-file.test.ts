import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTaskFile } from '../../../src/config/work/task-file.ts';
import { sortFaults } from '../../../src/config/work/work-fault.ts';
import { ANY_CHARACTER } from '../../support/any-character.ts';
import { expectFaults } from '../../support/expect-faults.ts';
import { runs } from '../../support/thorough.ts';

const PATH = 'tasks/TASK-001-login.md';
const BODY = '# Login\n\n## Acceptance Criteria\n- [ ] a\n';
const file = (frontMatter: string, body = BODY) => `---\n${frontMatter}\n---\n\n${body}`;
const parse = (frontMatter: string, body?: string) =>
  parseTaskFile(PATH, file(`id: TASK-001\ntitle: Login\n${frontMatter}`, body));

const faults = (text: string) => parseTaskFile(PATH, text).faults;

describe('a task file', () => {
  it('returns the task as written, and preserves unknown keys', () => {
    const text = `---
id: TASK-GE-002
title: Turn State Episodes for Cross-Turn Learning
status: backlog
priority: 1
task_type: feature
created_at: 2026-01-29T00:00:00Z
feature_id: FEAT-GE
implementation_mode: task-work
wave: 2
complexity: 6
dependencies:
  - TASK-GE-001
tags: [graphiti, episodes]
---

# TASK-GE-002: Turn State Episodes

## Acceptance Criteria

- [ ] capture_turn_state function works
- [x] xml

## Files to Create/Modify
- \`turn_state.py\`
`;
    expect(parseTaskFile('tasks/TASK-GE-002-turns.md', text)).toMatchObject({
      faults: [],
      task: {
        id: 'TASK-GE-002',
        title: 'Turn State Episodes for Cross-Turn Learning',
        status: 'backlog',
        task_type: 'feature',
        complexity: 6,
        feature_id: 'FEAT-GE',
        implementation_mode: 'task_work',
        dependencies: ['TASK-GE-001'],
        criteria: [
          { text: 'capture_turn_state function works', detail: '', line: 21 },
          { text: 'xml', detail: '', line: 22 },
        ],
        extra: { priority: 1, created_at: '2026-01-29T00:00:00Z', wave: 2, tags: ['graphiti', 'episodes'] },
        path: 'tasks/TASK-GE-002-turns.md',
      },
    });
  });

  it('with few keys has the defaults', () => {
    const { task, faults: found } = parse('');
    expect(found).toEqual([]);
    expect(task).toEqual({
      id: 'TASK-001',
      title: 'Login',
      status: 'backlog',
      task_type: 'feature',
      complexity: 5,
      dependencies: [],
      removes_tests: [],
      changes_tests: [],
      tests_may_pass_on_base: [],
      criteria: [{ text: 'a', detail: '', line: 10 }],
      extra: {},
      path: PATH,
    });
  });

  it.each([
    ['status: In-Progress', { status: 'in_progress' }],
    ['implementation_mode: task_work', { implementation_mode: 'task_work' }],
    ['depends_on: [TASK-2, TASK-3]', { dependencies: ['TASK-2', 'TASK-3'] }],
    ['depends_on: [TASK-2 ]\ndependencies: [TASK-3, TASK-2]', { dependencies: ['TASK-3', 'TASK-2'] }],
    ['dependencies: TASK-2', { dependencies: ['TASK-2'] }],
    ['dependencies:', { dependencies: [] }],
    ['removes_tests: true', { removes_tests: true }],
    ['removes_tests: false', { removes_tests: [] }],
    ['removes_tests: test/old/*.ts', { removes_tests: ['test/old/*.ts'] }],
    ['tests_may_pass_on_base: [adds two numbers]', { tests_may_pass_on_base: ['adds two numbers'] }],
    ['ui: true', { ui: true }],
    ['verify: {tests: {command: npm test}}', { verify: { tests: { command: 'npm test' } } }],
    ['constructor: 1', { extra: { constructor: 1 } }],
  ])('may say %j', (line, expected) => {
    const { task, faults: found } = parse(line);
    expect(found).toEqual([]);
    expect(task).toMatchObject(expected);
  });

  it.each([
    ['with CRLF', file('id: TASK-001\ntitle: Login').replaceAll('\n', '\r\n')],
    ['with a BOM', `\uFEFF${file('id: TASK-001\ntitle: Login')}`],
    ['with tabs', file('id:\tTASK-001\ntitle:\tLogin', '## Acceptance Criteria\n-\ta\n')],
    ['after empty lines', `\n\n${file('id: TASK-001\ntitle: Login')}`],
    [
      'that ends its front matter with dots',
      file('id: TASK-001\ntitle: Login').replace('\n---\n', '\n...\n'),
    ],
  ])('%s reads alike', (_case, text) => {
    const { task, faults: found } = parseTaskFile(PATH, text);
    expect(found).toEqual([]);
    expect(task).toMatchObject({ title: 'Login', criteria: [{ text: 'a' }] });
  });

  it('cannot change every object by a key', () => {
    const { task, faults: found } = parse('__proto__: {polluted: true}');
    expect(found).toEqual([]);
    expect(Object.keys(task?.extra ?? {})).toEqual(['__proto__']);
    expect(task?.extra.polluted).toBeUndefined();
    expect({}).not.toHaveProperty('polluted');
  });

  it('that is done needs no criteria', () => {
    expect(parse('status: completed', '# Done\n').faults).toEqual([]);
  });
});

describe('a fault in a task file has its line:', () => {
  it.each([
    ['an empty file', '', '1:1 empty-file'],
    ['no front matter', '# Login\n', '1:1 no-front-matter'],
    ['front matter without an end', '---\nid: TASK-001\n', '1:1 open-front-matter'],
    ['a list for front matter', file('- a'), '2:1 not-a-mapping'],
    ['broken YAML', file('id: TASK-001\ntitle: "a'), '3:10 syntax'],
    ['a key that stands twice', file('id: TASK-001\nid: TASK-002'), '3:1 duplicate-key'],
    ['no id', file('title: a'), '2:1 missing id'],
    ['no title', file('id: TASK-001'), '2:1 missing title'],
    ['an id that is a number', file('id: 7\ntitle: a'), '2:5 invalid-value id string 7'],
    ['an id with a slash', file('id: a/b\ntitle: a'), '2:5 invalid-value id a/b'],
    ['an id that no git ref may have', file('id: TASK-1..2\ntitle: a'), '2:5 invalid-value id ..'],
    [
      'a status that is misspelt',
      file('id: TASK-001\ntitle: a\nstatus: complete'),
      '4:9 invalid-value status "complete" completed',
    ],
    [
      'a status that is not known',
      file('id: TASK-001\ntitle: a\nstatus: done'),
      '4:9 invalid-value status backlog, pending, in_progress, in_review, completed, blocked',
    ],
    [
      'a complexity out of range',
      file('id: TASK-001\ntitle: a\ncomplexity: 11'),
      '4:13 invalid-value complexity 10 11',
    ],
    [
      'a dependency that is no id',
      file('id: TASK-001\ntitle: a\ndepends_on:\n  - TASK-2\n  - 3'),
      '6:5 invalid-value depends_on.1 string 3',
    ],
    [
      'a wrong exception',
      file('id: TASK-001\ntitle: a\nremoves_tests: {}'),
      '4:16 invalid-value removes_tests',
    ],
    [
      'an unknown key in verify',
      file('id: TASK-001\ntitle: a\nverify: {test: {command: a}}'),
      '4:10 unknown-key "verify.test" tests',
    ],
    ['no section', file('id: TASK-001\ntitle: a', '# a\n'), '5:1 no-criteria-section ## Acceptance Criteria'],
    ['an empty section', file('id: TASK-001\ntitle: a', '## Acceptance Criteria\n'), '6:1 no-criteria'],
    [
      'an id that stands twice',
      file('id: TASK-001\ntitle: a', '## Acceptance Criteria\n- AC-1: a\n- AC-1: b\n'),
      '8:1 duplicate-id AC-1 7',
    ],
    ['too much', 'x'.repeat(1_100_000), '1:1 too-large'],
    ['too much front matter', file(`a: ${'x'.repeat(70_000)}`), '1:1 too-large 64'],
    ['aliases that would fill the memory', file(bomb()), '1:1 alias-expansion'],
  ])('%s', (_case, text, expected) => {
    expectFaults(faults(text), [expected]);
  });

  it.each([
    ['is made to end the stack', `a: ${'['.repeat(60_000)}`],
    ['goes deep', `a: ${'['.repeat(900)}${']'.repeat(900)}`],
  ])('front matter that %s', (_case, text) => {
    expect(faults(file(text)).map(({ code }) => code)).toContain('too-deep');
  });

  it('all of them at once, and the criteria’s too', () => {
    expect(
      faults(file('id: TASK-001\ntitle: a\nui: maybe\ncomplexity: 0', '## Acceptance Criteria\n-\n')),
    ).toHaveLength(3);
  });

  it('a secret in the value is not shown [SEC-2]', () => {
    const secret = `postgres://me:${'hunter2secret'}@host/db`;
    expect(JSON.stringify(faults(file(`id: ${secret}\ntitle: a`)))).not.toContain('hunter2');
  });
});

it('any text at all has an answer', () => {
  const line = fc.constantFrom(
    ...[
      '---',
      'id: TASK-001',
      'title: a',
      '## Acceptance Criteria',
      '- [x] a',
      '  - b',
      '```',
      '<!--',
      '-->',
      '\t- c',
    ],
    ...[
      'verify: {',
      'extra: &a [*a]',
      '...',
      '* * *',
      '- AC-1: d',
      '===',
      '\uFEFF',
      '# x',
      '1. e',
      'status: !!binary x',
    ],
  );
  const texts = fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 300 }),
    fc
      .array(fc.oneof(line, fc.string({ maxLength: 12 })), { maxLength: 25 })
      .map((lines) => lines.join('\n')),
    fc
      .array(line, { maxLength: 25 })
      .map((lines) => `---\nid: TASK-001\ntitle: a\n---\n${lines.join('\r\n')}`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { task, faults: found } = parseTaskFile(PATH, text);
      const lines = text.split('\n').length;
      expect(task !== undefined || found.length > 0).toBe(true);
      for (const fault of found) expect(fault.line >= 1 && fault.line <= lines + 1).toBe(true);
    }),
    { numRuns: runs(400) },
  );
});

function bomb(): string {
  const levels = ['a', 'b', 'c', 'd', 'e', 'f'];
  return levels
    .map(
      (name, index) =>
        `${name}: &${name} [${Array(10)
          .fill(index > 0 ? `*${levels[index - 1]}` : 'x')
          .join(',')}]`,
    )
    .join('\n');
}

describe('a misspelt key', () => {
  it('is reported, alone and with another fault', () => {
    expectFaults(faults(file('id: TASK-001\ntitle: Login\ntask_typ: testing')), [
      '4:1 unknown-key "task_typ" task_type',
    ]);
    const both = faults(file('id: TASK-001\ntitle: Login\ntask_typ: testing\ncomplexity: 50'));
    expectFaults(sortFaults(both), ['4:1 unknown-key "task_typ" task_type', '5:13 invalid-value complexity']);
  });

  it('is not suspected in a key of somebody else, nor where the known one is there too', () => {
    expect(
      parse('state: open\ntags: [a]\nuid: 7\npriority: 1\ntask_type: feature\ntask_typ: x').faults,
    ).toEqual([]);
  });
});
