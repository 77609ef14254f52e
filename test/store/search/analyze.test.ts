import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeDocument, analyzeQuery, MAX_QUERY_TERMS } from '../../../src/store/search/analyze.ts';
import { ANY_CHARACTER } from '../../support/any-character.ts';
import { runs } from '../../support/thorough.ts';

const termsOf = (text: string) => analyzeDocument('', text).text;

describe('the terms of a text', () => {
  it('are the same for forms of one word', () => {
    const stems = ['authenticate', 'authenticated', 'authentication', 'Authenticating'].flatMap(termsOf);
    expect(new Set(stems).size).toBe(1);
  });

  it.each(['the session of a user', 'this session was with its user', 'does the session have your user'])(
    'leave stop words out of "%s"',
    (text) => {
      expect(termsOf(text)).toEqual(['session', 'user']);
    },
  );

  it.each([
    ['TURN-FEAT-AUTH-TASK-1-T2', ['turn-feat-auth-task-1-t2', 'turn', 'feat', 'auth', 'task', '1', '2']],
    ['session_timeout', ['session_timeout', 'session', 'timeout']],
    ['parseDOT', ['parsedot', 'pars', 'dot']],
    ['src/auth/jwt.py', ['src/auth/jwt.py', 'src', 'auth', 'jwt', 'py']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['AC-001', ['ac-001', 'ac', '001']],
  ])('contain the identifier %s whole and split', (identifier, expected) => {
    expect(termsOf(identifier)).toEqual(expect.arrayContaining(expected));
  });

  it('contain no single letter left over from an identifier', () => {
    expect(termsOf('T2')).not.toContain('t');
  });

  it('ignore diacritics and letter case', () => {
    expect(termsOf('Größe CAFÉ naïve')).toEqual(termsOf('große cafe NAIVE'));
  });

  it('treat compatible forms of characters alike', () => {
    expect(termsOf('ｓｅｓｓｉｏｎ ﬁle')).toEqual(termsOf('session file'));
  });

  it('are pairs of characters where a script has no spaces', () => {
    expect(termsOf('会話履歴')).toEqual(['会話', '話履', '履歴']);
    expect(termsOf('猫')).toEqual(['猫']);
  });

  it('split an identifier that mixes scripts', () => {
    expect(termsOf('ユーザーID')).toContain('id');
  });

  it('treat a very long word as one term', () => {
    expect(termsOf(`${'ab_'.repeat(200)}c`)).toHaveLength(1);
  });

  it('are bounded in number for a text of any size', () => {
    expect(termsOf('word '.repeat(100_000)).length).toBeLessThan(20_100);
  });

  it('are well-formed, short and free of spaces and syntax, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 300 }), (text) => {
        for (const term of termsOf(text)) {
          expect(term).toMatch(/^[\p{L}\p{N}\p{M}_./:@#+-]+$/u);
          expect(term.length).toBeLessThanOrEqual(120);
          expect(term.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('are not cut in the middle of a character', () => {
    expect(termsOf(`x${'𐌰'.repeat(99)}`).every((term) => term.isWellFormed())).toBe(true);
  });
});

describe('the terms of a query', () => {
  it('are the distinct terms a document would have', () => {
    expect(analyzeQuery('authentication, Authenticate!')).toEqual(termsOf('authentication'));
  });

  it('omit stop words if there are other words', () => {
    expect(analyzeQuery('what was the session')).toEqual(['session']);
    expect(analyzeQuery('what was')).toHaveLength(2);
  });

  it('are none for a query without words', () => {
    for (const query of ['', '   ', '"*^()', '😀', '\u0000']) expect(analyzeQuery(query)).toEqual([]);
  });

  it('are limited in number', () => {
    const long = Array.from({ length: 1000 }, (_, index) => `word${index}`).join(' ');
    expect(analyzeQuery(long)).toHaveLength(MAX_QUERY_TERMS);
  });

  it('are found in the document that has the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 100 }), (text) => {
        const document = new Set(termsOf(text));
        const telling = analyzeQuery(text).filter((term) => document.has(term));
        if (document.size > 0) expect(telling.length).toBeGreaterThan(0);
      }),
    );
  });
});
