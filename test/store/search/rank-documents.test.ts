import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeDocument, analyzeQuery, type DocumentTerms } from '../../../src/store/search/analyze.ts';
import { rankDocuments } from '../../../src/store/search/rank-documents.ts';
import type { SearchIndex } from '../../../src/store/search/search-index.ts';

/** The simplest possible index; backends must behave like it. */
function memoryIndex(
  documents: readonly (DocumentTerms & { key: number })[],
): SearchIndex & { scored: number } {
  const newestFirst = [...documents].sort((a, b) => b.key - a.key);
  return {
    scored: 0,
    async matches(sets, limit) {
      return sets.map((terms) =>
        newestFirst
          .filter(({ head, text }) => terms.every((term) => head.includes(term) || text.includes(term)))
          .slice(0, limit)
          .map(({ key }) => key),
      );
    },
    async documents(keys) {
      this.scored += keys.length;
      return documents
        .filter(({ key }) => keys.includes(key))
        .map(({ key, head, text }) => ({ key, head: head.join(' '), text: text.join(' ') }));
    },
    async lastKey() {
      return newestFirst[0]?.key ?? 0;
    },
  };
}

function index(...texts: (string | [head: string, text: string])[]) {
  return memoryIndex(
    texts.map((entry, position) => {
      const [head, text] = typeof entry === 'string' ? ['', entry] : entry;
      return { key: position + 1, ...analyzeDocument(head, text) };
    }),
  );
}

async function ranked(documents: SearchIndex, query: string, limit = 10): Promise<number[]> {
  return (await rankDocuments(documents, analyzeQuery(query), limit)).map(({ key }) => key);
}

describe('ranking', () => {
  it('puts the document with more of the terms first', async () => {
    const documents = index('redis session cache', 'redis only', 'session and redis timeout');
    expect(await ranked(documents, 'redis session timeout')).toEqual([3, 1, 2]);
  });

  it('weighs a rare term higher than a frequent one', async () => {
    const documents = index('turn one', 'turn two', 'turn three', 'turn four', 'refresh token');
    expect((await ranked(documents, 'turn refresh'))[0]).toBe(5);
  });

  it('weighs a term of the id or name higher than one of the text', async () => {
    const documents = index(['TASK-1', 'refresh of the token'], ['refresh', 'the work of a task']);
    expect((await ranked(documents, 'refresh'))[0]).toBe(2);
  });

  it('prefers the shorter of two texts with equal counts', async () => {
    const documents = index('refresh', `refresh ${'other words of a long text '.repeat(20)}`);
    expect(await ranked(documents, 'refresh')).toEqual([1, 2]);
  });

  it('puts the newer of two equals first', async () => {
    expect(await ranked(index('same text', 'same text', 'same text'), 'same')).toEqual([3, 2, 1]);
  });

  it('finds nothing without matching terms, and nothing without terms', async () => {
    expect(await ranked(index('some text'), 'absent')).toEqual([]);
    expect(await ranked(index('some text'), '')).toEqual([]);
    expect(await ranked(index(), 'anything')).toEqual([]);
  });

  it('returns at most the requested number', async () => {
    expect(await ranked(index('one same', 'two same', 'three same'), 'same', 2)).toHaveLength(2);
  });

  it('does not score every document with a frequent term', async () => {
    const documents = index(...Array.from({ length: 3000 }, (_, number) => `turn ${number} frequent`));
    await ranked(documents, 'frequent turn');
    expect(documents.scored).toBeLessThan(500);
  });

  it('finds a rare term next to a frequent one, however old its document is', async () => {
    const documents = index('turn of the needle', ...Array.from({ length: 3000 }, () => 'turn of the hay'));
    expect((await ranked(documents, 'turn needle'))[0]).toBe(1);
  });

  it('finds the document with two frequent terms together, however old it is', async () => {
    const hay = Array.from({ length: 3000 }, (_, number) => (number % 2 === 0 ? 'alpha' : 'omega'));
    expect((await ranked(index('alpha omega', ...hay), 'alpha omega'))[0]).toBe(1);
  });

  it('scores from 0 to 1, descending and deterministic, for any documents and query', async () => {
    const word = fc.constantFrom('redis', 'session', 'token', 'turn', 'FEAT-A', 'parseDOT', 'the');
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { maxLength: 20 }), text, async (entries, query) => {
        const documents = index(...entries);
        const result = await rankDocuments(documents, analyzeQuery(query), 10);
        const scores = result.map(({ score }) => score);
        for (const score of scores) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        }
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        expect(await rankDocuments(documents, analyzeQuery(query), 10)).toEqual(result);
      }),
    );
  });
});
