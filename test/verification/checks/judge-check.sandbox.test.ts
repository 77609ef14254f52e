import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isEmptyData,
  judgeCheck,
  valueAtJsonPath,
  visibleText,
} from '../../../src/verification/checks/judge-check.ts';
import { ANY_CHARACTER } from '../../support/any-character.ts';

const command = (over: Partial<{ exit: number | null; stdout: string; executedTests: number }> = {}) => ({
  type: 'command' as const,
  exit: 0,
  ended: `exit ${over.exit ?? 0}`,
  stdout: '',
  executedTests: 0,
  ...over,
});

describe('a check', () => {
  it('expects exit 0 by default', () => {
    expect(judgeCheck({ name: 'x' }, command())).toEqual({ result: 'pass', reason: 'exit 0' });
    expect(judgeCheck({ name: 'x' }, command({ exit: 2 }))).toEqual({
      result: 'fail',
      reason: expect.stringMatching(/\bexit 2\b.*\bexit 0\b/),
    });
    expect(judgeCheck({ name: 'x', expect: { exit: 2 } }, command({ exit: 2 })).result).toBe('pass');
    expect(judgeCheck({ name: 'x' }, command({ exit: null })).result).toBe('fail');
  });

  it('counts executed tests: none is absent, too few is a failure', () => {
    const expects = { name: 'x', expect: { min_tests: 3 } };
    expect(judgeCheck(expects, command({ executedTests: 3 })).result).toBe('pass');
    expect(judgeCheck(expects, command({ executedTests: 2 })).result).toBe('fail');
    expect(judgeCheck(expects, command()).result).toBe('absent');
  });

  it('names the empty value', () => {
    const stdout = (non_empty: string, text: string) =>
      judgeCheck({ name: 'x', expect: { non_empty } }, command({ stdout: text }));
    expect(stdout('stdout', 'a')).toMatchObject({ result: 'pass' });
    expect(stdout('stdout', ' \n')).toMatchObject({ result: 'fail' });
    expect(stdout('$.items', '{"items":[1]}')).toMatchObject({ result: 'pass' });
    expect(stdout('$.items', '{"items":[]}')).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/\$\.items\b.*\[\]/),
    });
    expect(stdout('$.rows', '{"items":[]}')).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('$.rows'),
    });
    expect(stdout('$.count', '{"count":0}')).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/\$\.count\b.*\b0\b/),
    });
    expect(stdout('$.a', 'oops').result).toBe('fail');
    expect(stdout('$.a', '').result).toBe('fail');
  });

  it('of a URL expects a status below 400, or the given one', () => {
    const http = (status: number, expects = {}) =>
      judgeCheck({ name: 'x', expect: expects }, { type: 'http', status, body: '{"a":1}' });
    expect(http(204).result).toBe('pass');
    expect(http(500)).toEqual({ result: 'fail', reason: expect.stringContaining('500') });
    expect(http(404, { status: 404 }).result).toBe('pass');
    expect(http(200, { status: 404 })).toEqual({
      result: 'fail',
      reason: expect.stringMatching(/\b200\b.*\b404\b/),
    });
    expect(http(200, { non_empty: '$.a' }).result).toBe('pass');
    expect(http(200, { text: 'nope' })).toEqual({
      result: 'fail',
      reason: expect.stringContaining('"nope"'),
    });
  });

  it('of a page fails if it shows nothing', () => {
    const page = (html: string, expects = {}) =>
      judgeCheck({ name: 'x', expect: expects }, { type: 'page', status: 200, html });
    expect(page('<html><body><div id="root"></div><script>render()</script></body></html>').result).toBe(
      'fail',
    );
    expect(page('<body><p>Hello</p></body>', { text: 'Hello' }).result).toBe('pass');
  });
});

describe('the visible text of a page', () => {
  it('excludes tags, scripts, styles and comments', () => {
    const html =
      '<!doctype html><head><title>t</title><style>a{}</style></head><body>One<br>two<!-- <p>three</p> --><script>four</script> <b>5</b></body>';
    expect(visibleText(html)).toBe('One two 5');
  });

  it('accepts any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => typeof visibleText(text) === 'string'),
    );
    expect(visibleText('<script>'.repeat(20_000))).toBe('');
    expect(visibleText('<'.repeat(100_000))).toBe('');
  });
});

describe('a path into JSON', () => {
  it('follows names and indexes, never inherited properties', () => {
    const at = (path: string, value: unknown = { a: [{ b: 'c' }], 'x y': 1 }) =>
      valueAtJsonPath(JSON.stringify(value), path);
    expect(at('$.a[0].b')).toEqual({ ok: true, value: 'c' });
    expect(at('$["x y"]')).toEqual({ ok: true, value: 1 });
    expect(at('$.a[7]')).toEqual({ ok: true, value: undefined });
    expect(at('$.constructor')).toEqual({ ok: true, value: undefined });
    expect(at('$.__proto__')).toEqual({ ok: true, value: undefined });
    expect(at('$..a')).toMatchObject({ ok: false });
  });

  it('treats null, empty lists and strings and zero as empty', () => {
    for (const value of [undefined, null, 0, '', '  ', [], {}]) expect(isEmptyData(value)).toBe(true);
    for (const value of [1, 'a', [0], { a: null }, false]) expect(isEmptyData(value)).toBe(false);
  });
});
