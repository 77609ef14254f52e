import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCobertura } from '../../../src/verification/coverage-reports/cobertura.ts';
import { parseCoveragePy } from '../../../src/verification/coverage-reports/coverage-py.ts';
import { parseGoCover } from '../../../src/verification/coverage-reports/go-cover.ts';
import { parseIstanbul, parseIstanbulSummary } from '../../../src/verification/coverage-reports/istanbul.ts';
import { parseLcov } from '../../../src/verification/coverage-reports/lcov.ts';
import { parseCoverage } from '../../../src/verification/coverage-reports/parse-coverage.ts';

function why(parsed: { ok: boolean; why?: string }): string {
  return parsed.ok ? 'it was accepted' : (parsed.why ?? '');
}

function files(parsed: ReturnType<typeof parseCoverage>) {
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.value.files.map(({ path, lines }) => [path, Object.fromEntries(lines ?? [])]);
}

const lcov = (...lines: string[]) => ['TN:', 'SF:src/a.ts', ...lines, 'end_of_record', ''].join('\n');

describe('lcov', () => {
  it('merges records of one file, each line with its most hits', () => {
    const text = lcov('DA:1,0', 'DA:2,5') + lcov('DA:1,3', 'DA:2,0', 'DA:3,0');
    expect(files(parseLcov(text))).toEqual([['src/a.ts', { 1: 3, 2: 5, 3: 0 }]]);
  });

  it('ignores checksums, carriage returns, byte order marks and unused records', () => {
    const text = lcov('FN:1,f', 'DA:1,2,abc=', 'BRDA:1,0,0,-', 'LF:1', 'LH:1').replaceAll('\n', '\r\n');
    expect(files(parseLcov(`\ufeff${text}`))).toEqual([['src/a.ts', { 1: 2 }]]);
  });

  it('is refused if totals differ from the lines', () => {
    const refused = (...lines: string[]) => expect(why(parseLcov(lcov(...lines))));
    refused('DA:1,1', 'DA:2,0', 'LF:2', 'LH:2').toMatch(/\b2\b.*\b2\b.*\b1\b.*\b2\b/);
    refused('DA:1,1', 'LF:9', 'LH:1').toMatch(/\b1\b.*\b9\b.*\b1\b.*\b1\b/);
    refused('DA:1,1', 'LF:1', 'LH:5').toMatch(/\b5\b.*\b1\b/);
    refused('LF:10', 'LH:10').toMatch(/\b0\b.*\b0\b/);
    refused('DA:1,0', 'LH:1').toMatch(/\b1\b/);
    refused('DA:1,1', 'DA:2,0', 'LF:1', 'LH:1').toMatch(/\b1\b.*\b2\b/);
    refused('DA:1,1', 'DA:2,1', 'DA:3,0', 'LF:2', 'LH:2').toMatch(/\b2\b.*\b2\b.*\b2\b.*\b3\b/);
  });

  it('lab lists blank lines and comments as covered, which its totals leave out', () => {
    const text = lcov('DA:1,1', 'DA:2,1', 'DA:3,0', 'LF:2', 'LH:1');
    expect(files(parseLcov(text))).toEqual([['src/a.ts', { 1: 1, 2: 1, 3: 0 }]]);
  });

  it.each([
    ['negative hits', lcov('DA:1,-1')],
    ['hits that are not a number', lcov('DA:1,NaN')],
    ['no hits', lcov('DA:1')],
    ['line zero', lcov('DA:0,1')],
    ['a line beyond any file', lcov('DA:99999999999,1')],
    ['a fraction of a line', lcov('DA:1.5,1')],
    ['a total that is not a number', lcov('LF:-1')],
    ['a line outside of any record', `DA:1,1\n${lcov()}`],
    ['a record within a record', 'SF:a\nSF:b\nend_of_record\n'],
    ['a record without a file', 'SF:\nend_of_record\n'],
    ['an end without a start', `end_of_record\n${lcov()}`],
    ['a truncated record', 'SF:a\nDA:1,1\n'],
    ['no record', 'TN:\n'],
    ['nothing', ''],
  ])('%s is refused', (_what, text) => {
    expect(parseLcov(text)).toMatchObject({ ok: false, why: expect.stringMatching(/\S/) });
  });

  it('accepts hits too large for a number as many', () => {
    const [[, lines] = []] = files(parseLcov(lcov(`DA:1,${'9'.repeat(400)}`)));
    expect(lines).toEqual({ 1: Number.MAX_SAFE_INTEGER });
  });

  it('accepts any file name', () => {
    const named = (name: string) => files(parseLcov(`SF:${name}\nDA:1,1\nend_of_record\n`))[0]?.[0];
    expect(named('__proto__')).toBe('__proto__');
    expect(named('.\\src\\win.ts')).toBe('src/win.ts');
    expect(named('C:\\work\\src\\..\\a.ts')).toBe('C:/work/a.ts');
    expect(named('/abs//x/./y.ts')).toBe('/abs/x/y.ts');
    expect(named('../../other/a.ts')).toBe('../../other/a.ts');
    expect(named('a/../../../etc/passwd')).toBe('../../etc/passwd');
    expect(named('/../../etc/passwd')).toBe('/etc/passwd');
  });
});

const xml = (inner: string, attributes = '') =>
  `<?xml version="1.0"?><coverage ${attributes}>${inner}</coverage>`;
const xmlClass = (file: string, inner: string) => `<class filename="${file}"><lines>${inner}</lines></class>`;

describe('Cobertura', () => {
  const two = xmlClass('a.py', '<line number="1" hits="1"/><line number="2" hits="0"/>');

  it('merges classes of one file', () => {
    const text = xml(two + xmlClass('a.py', '<line number="2" hits="3"/>'));
    expect(files(parseCobertura(text))).toEqual([['a.py', { 1: 1, 2: 3 }]]);
  });

  it('prefixes paths with the only source, with none of several', () => {
    const source = (...roots: string[]) =>
      `<sources>${roots.map((root) => `<source>${root}</source>`).join('')}</sources>`;
    expect(files(parseCobertura(xml(source('/project/pkg') + two)))[0]?.[0]).toBe('/project/pkg/a.py');
    expect(files(parseCobertura(xml(source('.') + two)))[0]?.[0]).toBe('a.py');
    const parsed = parseCobertura(xml(source('/project/x', '/project/y') + two));
    expect(parsed).toMatchObject({
      value: { roots: ['/project/x', '/project/y'], files: [{ path: 'a.py' }] },
    });
  });

  it('counts lines of methods only if a class has no others', () => {
    const method = '<methods><method><lines><line number="9" hits="1"/></lines></method></methods>';
    const both = `<class filename="a.js">${method}<lines><line number="1" hits="1"/></lines></class>`;
    expect(files(parseCobertura(xml(both)))).toEqual([['a.js', { 1: 1 }]]);
    expect(files(parseCobertura(xml(`<class filename="a.js">${method}</class>`)))).toEqual([
      ['a.js', { 9: 1 }],
    ]);
  });

  it('is refused if totals or rates differ from the lines', () => {
    expect(why(parseCobertura(xml(two, 'lines-valid="2" lines-covered="2"')))).toMatch(/\b2\b.*\b1\b/);
    expect(why(parseCobertura(xml(two, 'lines-valid="5"')))).toMatch(/\b5\b.*\b2\b/);
    expect(parseCobertura(xml(two, 'line-rate="1"')).ok).toBe(false);
    expect(parseCobertura(xml(two, 'lines-valid="2" lines-covered="1" line-rate="0.5"')).ok).toBe(true);
  });

  it('never expands its own entities', () => {
    const lol = Array.from({ length: 20 }, (_, n) => `<!ENTITY l${n + 1} "&l${n};&l${n};&l${n};">`).join('');
    const bomb = `<!DOCTYPE coverage [<!ENTITY l0 "lol">${lol}]>${xml(xmlClass('&l20;', ''))}`;
    expect(parseCobertura(bomb).ok).toBe(false);
    expect(parseCobertura(xml(xmlClass('&unknown;', ''))).ok).toBe(false);
    const outside = `<!DOCTYPE coverage SYSTEM "file:///etc/passwd">${xml(two)}`;
    expect(parseCobertura(outside).ok).toBe(true);
  });

  it.each([
    ['another root', '<html></html>'],
    ['no file', xml('')],
    ['a file without a name', xml('<class><lines/></class>')],
    ['negative hits', xml(xmlClass('a', '<line number="1" hits="-1"/>'))],
    ['no hits', xml(xmlClass('a', '<line number="1"/>'))],
    ['line zero', xml(xmlClass('a', '<line number="0" hits="1"/>'))],
    ['half a file', xml(two).slice(0, -20)],
    ['tags that cross', '<coverage><a></coverage></a>'],
    ['endlessly nested elements', '<coverage>'.repeat(100_000)],
    ['something after it', `${xml(two)}<coverage/>`],
  ])('%s is refused', (_what, text) => {
    expect(parseCobertura(text)).toMatchObject({ ok: false, why: expect.stringMatching(/\S/) });
  });
});

const statement = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 9 } });

describe('istanbul', () => {
  it('gives a line the hits of its most executed statement', () => {
    const file = {
      statementMap: { 0: statement(1), 1: statement(1), 2: statement(4) },
      s: { 0: 1, 1: 7, 2: 0 },
    };
    expect(files(parseIstanbul(JSON.stringify({ '/p/a.js': file })))).toEqual([['/p/a.js', { 1: 7, 4: 0 }]]);
  });

  it('treats a file named __proto__ as a file', () => {
    const text = `{"__proto__":{"statementMap":{"0":{"start":{"line":1}}},"s":{"0":1}}}`;
    expect(files(parseIstanbul(text))).toEqual([['__proto__', { 1: 1 }]]);
    expect(files(parseCoverage(text))).toEqual([['__proto__', { 1: 1 }]]);
  });

  it.each([
    ['a statement that is not counted', { a: { statementMap: { 0: statement(1) }, s: {} } }],
    ['a count of no statement', { a: { statementMap: { 0: statement(1) }, s: { 1: 1 } } }],
    ['negative hits', { a: { statementMap: { 0: statement(1) }, s: { 0: -1 } } }],
    ['line zero', { a: { statementMap: { 0: statement(0) }, s: { 0: 1 } } }],
    ['a file entry that is not one', { a: 5 }],
    ['no file', {}],
    ['a list', []],
  ])('%s is refused', (_what, value) => {
    expect(parseIstanbul(JSON.stringify(value)).ok).toBe(false);
  });
});

describe('the istanbul summary', () => {
  const sums = (total: number, covered: number, pct: unknown = (100 * covered) / total) => ({
    lines: { total, covered, skipped: 0, pct },
  });
  const summary = (value: object) => parseIstanbulSummary(JSON.stringify(value));

  it('has totals without lines', () => {
    const parsed = summary({ total: sums(4, 3), '/p/a.js': sums(4, 3), '/p/b.js': sums(0, 0, 'Unknown') });
    expect(parsed).toMatchObject({
      value: { files: [{ path: '/p/a.js', covered: 3, total: 4 }, { total: 0 }] },
    });
  });

  it('is refused if the total is not the sum of its files', () => {
    expect(why(summary({ total: sums(4, 4), a: sums(4, 3) }))).toMatch(/\b4\b.*\b4\b.*\b3\b/);
  });

  it.each([
    ['more covered than there is', { a: sums(4, 5) }],
    ['a wrong percentage', { a: sums(4, 2, 99) }],
    ['negative totals', { a: sums(-4, -5) }],
    ['fractions', { a: sums(1.5, 1) }],
    ['no lines', { a: { statements: {} } }],
    ['only a total', { total: sums(4, 4) }],
    ['one file twice', { 'a/b.js': sums(1, 1), './a/b.js': sums(1, 1) }],
  ])('%s is refused', (_what, value) => {
    expect(summary(value).ok).toBe(false);
  });
});

describe('coverage.py', () => {
  const report = (file: object, totals?: object) =>
    parseCoveragePy(
      JSON.stringify({
        meta: { version: '7.0' },
        files: { 'a.py': file },
        totals: totals ?? Reflect.get(file, 'summary'),
      }),
    );
  const summary = (
    covered_lines: number,
    missing_lines: number,
    num_statements = covered_lines + missing_lines,
  ) => ({
    covered_lines,
    missing_lines,
    num_statements,
  });

  it('lists the lines that ran', () => {
    const parsed = report({ executed_lines: [1, 3], missing_lines: [4], summary: summary(2, 1) });
    expect(files(parsed)).toEqual([['a.py', { 1: 1, 3: 1, 4: 0 }]]);
  });

  it.each([
    [
      'more covered lines than are listed',
      { executed_lines: [1], missing_lines: [], summary: summary(5, 0) },
    ],
    [
      'fewer missing lines than are listed',
      { executed_lines: [1], missing_lines: [2, 3], summary: summary(1, 0) },
    ],
    ['a total that does not add up', { executed_lines: [1], missing_lines: [2], summary: summary(1, 1, 1) }],
    [
      'a line both executed and missing',
      { executed_lines: [1, 2], missing_lines: [2], summary: summary(1, 1) },
    ],
    ['negative lines', { executed_lines: [-1], missing_lines: [], summary: summary(1, 0) }],
    ['no summary', { executed_lines: [1], missing_lines: [] }],
  ])('%s is refused', (_what, file) => {
    expect(report(file, summary(1, 0)).ok).toBe(false);
  });

  it('is refused if totals are not the sum of the files', () => {
    const file = { executed_lines: [1], missing_lines: [2], summary: summary(1, 1) };
    expect(why(report(file, summary(2, 0)))).toMatch(/\b2\b.*\b2\b/);
  });
});

describe('cover profiles of go', () => {
  it('are merged if concatenated', () => {
    const text = 'mode: set\nm/a.go:1.1,2.2 1 0\nmode: set\nm/a.go:1.1,2.2 1 1\n';
    expect(files(parseGoCover(text))).toEqual([['m/a.go', { 1: 1, 2: 1 }]]);
  });

  it.each([
    ['no mode', 'm/a.go:1.1,2.2 1 0\n'],
    ['no block', 'mode: set\n'],
    ['another mode', 'mode: all\nm/a.go:1.1,2.2 1 0\n'],
    ['a block that ends before it starts', 'mode: set\nm/a.go:5.1,2.2 1 0\n'],
    ['negative hits', 'mode: set\nm/a.go:1.1,2.2 1 -1\n'],
    ['a truncated line', 'mode: set\nm/a.go:1.1,2.2 1\n'],
    ['a block without a file', 'mode: set\n:1.1,2.2 1 1\n'],
    ['blocks larger than any program', `mode: set\n${'a.go:1.1,9999999.1 1 1\n'.repeat(10)}`],
  ])('%s is refused', (_what, text) => {
    expect(parseGoCover(text)).toMatchObject({ ok: false, why: expect.stringMatching(/\S/) });
  });
});

describe('any format', () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \n\t\n'],
    ['prose', 'All files: 100 % covered\n'],
    ['half JSON', '{"total":'],
    ['other JSON', '{"coverage":100}'],
    ['a JSON list', '[1,2]'],
    ['JSON nested without end', `{"a":${'['.repeat(200_000)}`],
    ['bytes', '\u0000\u0001\u0002'],
  ])('%s is not recognized', (_what, text) => {
    expect(parseCoverage(text)).toMatchObject({ ok: false, why: expect.stringMatching(/\S/) });
  });

  it('no text makes a parser throw, and covered never exceeds the total', () => {
    const piece = fc.constantFrom(
      ...[
        'SF:a\n',
        'DA:1,1\n',
        'DA:2,0\n',
        'LF:1\n',
        'LH:9\n',
        'end_of_record\n',
        'mode: set\n',
        'a.go:1.1,3.2 1 1\n',
      ],
      ...[
        '<coverage>',
        '</coverage>',
        '<class filename="a">',
        '</class>',
        '<line number="1" hits="1"/>',
        '<lines>',
        '&x;',
      ],
      ...[
        '{',
        '}',
        '"a":',
        '"statementMap":',
        '"s":',
        '"lines":',
        '"total":',
        '1',
        ',',
        '[',
        ']',
        '__proto__',
        '\ufeff',
      ],
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string(),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (given) => {
        for (const parse of [
          parseCoverage,
          parseLcov,
          parseCobertura,
          parseIstanbul,
          parseIstanbulSummary,
          parseCoveragePy,
          parseGoCover,
        ]) {
          const parsed = parse(given);
          if (parsed.ok)
            for (const { covered, total } of parsed.value.files) expect(covered).toBeLessThanOrEqual(total);
          else expect(parsed.why).not.toBe('');
        }
      }),
    );
  });
});
