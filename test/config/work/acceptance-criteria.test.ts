import { describe, expect, it } from 'vitest';
import { readAcceptanceCriteria } from '../../../src/config/work/acceptance-criteria.ts';

const read = (text: string) => readAcceptanceCriteria(text.split('\n'), 1);
const texts = (text: string) => read(text).criteria.map((one) => one.text);
const section = (text: string) => texts(`## Acceptance Criteria\n\n${text}`);

describe('the section of acceptance criteria', () => {
  it.each([
    '## Acceptance Criteria',
    '### acceptance criteria',
    '## ACCEPTANCE CRITERIA:',
    '## Acceptance   Criteria ##',
    '## **Acceptance Criteria**',
    '   ## Acceptance Criteria',
  ])('starts at "%s"', (heading) => {
    expect(read(`# Task\n${heading}\n- a\n`)).toMatchObject({ line: 2, criteria: [{ text: 'a' }] });
  });

  it.each([
    '##Acceptance Criteria',
    '## Acceptance',
    'Acceptance Criteria',
    '    ## Acceptance Criteria',
    '## Acceptance Criteria of others',
  ])('does not start at "%s"', (heading) => {
    expect(read(`${heading}\n- a\n`)).toEqual({ line: undefined, criteria: [], faults: [] });
  });

  it('ends at a heading of the same or a higher level, and continues through lower ones', () => {
    const text =
      '### Acceptance Criteria\n- a\n#### Security\n- b\n## Notes\n- c\n### Acceptance criteria?\n- d';
    expect(texts(text)).toEqual(['a', 'b']);
    expect(section('- a\n\n## Files\n- b')).toEqual(['a']);
    expect(section('- a\n# Files\n- b')).toEqual(['a']);
    expect(section('- a\n\nFiles\n-----\n- b')).toEqual(['a']);
    expect(section('- a\n\nFiles\n=====\n- b')).toEqual(['a']);
  });

  it('is ignored in code or in a comment', () => {
    expect(read('```md\n## Acceptance Criteria\n- a\n```\n').line).toBeUndefined();
    expect(read('<!--\n## Acceptance Criteria\n- a\n-->\n').line).toBeUndefined();
  });

  it('appears only once', () => {
    expect(read('## Acceptance Criteria\n- a\n## Acceptance Criteria\n- b\n')).toMatchObject({
      criteria: [{ text: 'a' }],
      faults: [{ line: 3, code: 'second-section' }],
    });
  });
});

describe('a criterion', () => {
  it.each([
    ['- a', 'a'],
    ['* a', 'a'],
    ['+ a', 'a'],
    ['1. a', 'a'],
    ['12) a', 'a'],
    ['- [ ] a', 'a'],
    ['- [x] a', 'a'],
    ['- [X]\ta', 'a'],
    ['1. [ ] a', 'a'],
    ['- [x] xml', 'xml'],
    ['- [xml] parse', '[xml] parse'],
    ['- [x](https://example.invalid) opens', '[x](https://example.invalid) opens'],
    ['- x marks it', 'x marks it'],
    ['  - a', 'a'],
    ['\t- a', 'a'],
    ['-\ta', 'a'],
    ['- `- a`', '`- a`'],
    ['- 3. b', '3. b'],
    ['- --flag is known', '--flag is known'],
  ])('is every top-level bullet: "%s"', (line, text) => {
    expect(section(line)).toEqual([text]);
  });

  it.each(['-a', '*a*', '1.a', '* * *', '- - -', '---', '> - a', '| - a |', '1234567890. a', '**- a**'])(
    'is not "%s"',
    (line) => {
      expect(section(line)).toEqual([]);
    },
  );

  it('has nested bullets and further lines as its detail, not as criteria', () => {
    const { criteria } = read(
      '## Acceptance Criteria\n- a\n  - b\n    - c\n  goes on\nlazily\n\n  and after a gap\n- d\n\t- e\n1. f\n  - g\n',
    );
    expect(criteria).toEqual([
      { text: 'a', detail: '- b\n  - c\ngoes on\nlazily\nand after a gap', line: 2 },
      { text: 'd', detail: '  - e', line: 9 },
      { text: 'f', detail: '- g', line: 11 },
    ]);
  });

  it('is not a bullet in code', () => {
    const { criteria } = read('## Acceptance Criteria\n- a\n  ```\n- b\n  ```\n- c\n\n~~~\n- d\n~~~\n- e\n');
    expect(criteria.map(({ text, detail }) => [text, detail])).toEqual([
      ['a', '```\n- b\n  ```'],
      ['c', ''],
      ['e', ''],
    ]);
  });

  it('is not a bullet in a comment', () => {
    expect(section('- a\n<!--\n- b\n-->\n- c\n<!-- - d -->\n- e <!-- kept -->')).toEqual([
      'a',
      'c',
      'e <!-- kept -->',
    ]);
  });

  it('may follow a paragraph in any position', () => {
    expect(section('Login:\n- a\n\nLogout:\n  - b\n  - c\n')).toEqual(['a', 'b', 'c']);
  });

  it('may say its text on the next line', () => {
    expect(read('## Acceptance Criteria\n- AC-001:\n  a\n  b\n').criteria).toEqual([
      { id: 'AC-001', text: 'a', detail: 'b', line: 2 },
    ]);
  });

  it.each(['-', '- [ ]', '- AC-001:', '- [x]\n  - only detail', '- ```js\n  code\n  ```'])(
    'without text is a fault: "%s"',
    (line) => {
      expect(read(`## Acceptance Criteria\n${line}\n`)).toMatchObject({
        criteria: [],
        faults: [{ line: 2, code: 'empty-criterion' }],
      });
    },
  );

  it('keeps its id apart from its text', () => {
    expect(read('## Acceptance Criteria\n- [x] **AC-001**: a\n').criteria).toEqual([
      { id: 'AC-001', text: 'a', detail: '', line: 2 },
    ]);
  });
});

describe('a text that hides criteria', () => {
  it.each([
    ['a fence that does not end', '```\n- b'],
    ['a comment that does not end', '<!--\n- b'],
  ])('by %s is reported', (_case, text) => {
    expect(read(`## Acceptance Criteria\n- a\n${text}`)).toMatchObject({
      criteria: [{ text: 'a' }],
      faults: [{ line: 3, code: 'unclosed' }],
    });
  });

  it('elsewhere is not a fault', () => {
    expect(read('## Acceptance Criteria\n- a\n## Notes\n```\n').faults).toEqual([]);
  });

  it('by too many items is cut off, and reported', () => {
    const many = read(`## Acceptance Criteria\n${'- a\n'.repeat(100_000)}`);
    expect(many.criteria).toHaveLength(200);
    expect(many.faults).toMatchObject([{ line: 202, code: 'too-many-criteria' }]);
    const long = read(`## Acceptance Criteria\n- ${'a '.repeat(400_000)}\n`);
    expect(long.criteria[0]?.text).toHaveLength(2000);
    expect(long.faults).toMatchObject([{ line: 2, code: 'criterion-too-long' }]);
  });
});
