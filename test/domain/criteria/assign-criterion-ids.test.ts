import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignCriterionIds, type CriterionIds } from '../../../src/domain/criteria/assign-criterion-ids.ts';
import { normalizeCriterionText, splitCriterionId } from '../../../src/domain/criteria/criterion.ts';

const written = (texts: readonly string[]) =>
  texts.map((text, index) => ({ ...splitCriterionId(text), detail: '', line: index + 10 }));

function assign(texts: readonly string[], known: CriterionIds = []) {
  const result = assignCriterionIds(written(texts), known);
  if (!result.ok) throw new Error(`${result.why} (${result.hint})`);
  return result;
}

/** `id text` of each criterion. */
const shown = (texts: readonly string[], known?: CriterionIds) =>
  assign(texts, known).criteria.map(({ id, text }) => `${id} ${text}`);

const LOGIN = 'A person can log in with an address';
const LOGOUT = 'Leaving the page ends the session at once';
const LIMIT = 'Five wrong passwords lock the account for an hour';

describe('criterion ids', () => {
  it('are counted where none is written', () => {
    expect(shown([LOGIN, LOGOUT])).toEqual([`AC-001 ${LOGIN}`, `AC-002 ${LOGOUT}`]);
  });

  it('are those that are written, and others pass them by', () => {
    expect(shown([LOGIN, `AC-001: ${LOGOUT}`, `AC2 - ${LIMIT}`])).toEqual([
      `AC-003 ${LOGIN}`,
      `AC-001 ${LOGOUT}`,
      `AC2 ${LIMIT}`,
    ]);
  });

  it('are found again by the text', () => {
    const { ids } = assign([LOGIN, LOGOUT]);
    expect(shown([LOGOUT, `**${LOGIN.toUpperCase()}.**`], ids).map((one) => one.slice(0, 6))).toEqual([
      'AC-002',
      'AC-001',
    ]);
  });

  it('are matched to the only similar text, and report the previous text', () => {
    const { ids } = assign([LOGIN, LOGOUT]);
    const changed = LOGIN.replace('address', 'e-mail address');
    const { criteria } = assign([LOGOUT, changed], ids);
    expect(criteria.map(({ id, foundBy, previousText }) => ({ id, foundBy, previousText }))).toEqual([
      { id: 'AC-002', foundBy: 'text', previousText: undefined },
      { id: 'AC-001', foundBy: 'similarity', previousText: LOGIN },
    ]);
  });

  it('say that the text under a written id is another', () => {
    const { ids } = assign([`AC-001: ${LOGIN}`]);
    expect(assign([`AC-001: ${LIMIT}`], ids).criteria[0]).toMatchObject({
      foundBy: 'explicit',
      previousText: LOGIN,
    });
  });

  it('are kept when an id is taken off the text', () => {
    const { ids } = assign([`AC-007: ${LOGIN}`]);
    expect(shown([LOGIN], ids)).toEqual([`AC-007 ${LOGIN}`]);
  });

  it('of removed criteria are never used again', () => {
    const first = assign([LOGIN, LOGOUT]);
    const second = assign([LOGIN], first.ids);
    expect(second.ids).toEqual([
      { id: 'AC-001', text: LOGIN },
      { id: 'AC-002', text: LOGOUT, removed: true },
    ]);
    expect(shown([LOGIN, LIMIT], second.ids)[1]).toBe(`AC-003 ${LIMIT}`);
    expect(shown([LOGIN, LOGOUT.replace('page', 'site')], second.ids)[1]).toMatch(/^AC-003 /);
  });

  it('of a removed criterion come back with its very text', () => {
    const second = assign([LOGIN], assign([LOGIN, LOGOUT]).ids);
    const third = assign([LOGIN, LOGOUT], second.ids);
    expect(third.criteria[1]?.id).toBe('AC-002');
    expect(third.ids).toEqual(assign([LOGIN, LOGOUT]).ids);
  });

  it('are asked for when two that are alike have both changed', () => {
    const { ids } = assign(['The export holds all orders of 2023', 'The export holds all orders of 2024']);
    const result = assignCriterionIds(
      written(['The export holds all orders of 2025', 'The export holds all orders of 2026']),
      ids,
    );
    expect(result).toMatchObject({
      ok: false,
      line: 10,
      code: 'ambiguous',
      why: expect.stringMatching(/AC-001.*AC-002/),
    });
  });

  it('are asked for when one became two that are both like it', () => {
    const { ids } = assign([LOGIN]);
    expect(assignCriterionIds(written([`${LOGIN} today`, `${LOGIN} tomorrow`]), ids).ok).toBe(false);
  });

  it('are new for a text that is like nothing', () => {
    const { ids } = assign([LOGIN]);
    expect(shown([LIMIT], ids)).toEqual([`AC-002 ${LIMIT}`]);
  });

  it.each([
    ['an id that stands twice', ['AC-001: a', 'AC-001: b'], 'duplicate-id'],
    ['one id in two spellings', ['AC1: a', 'AC-001: b'], 'duplicate-id'],
    ['a text that stands twice', ['Same text.', 'same  text'], 'duplicate-criterion'],
  ])('are refused for %s, at its line', (_case, texts, code) => {
    const why = expect.stringMatching(/\b10\b/);
    expect(assignCriterionIds(written(texts), [])).toMatchObject({ ok: false, line: 11, code, why });
  });

  it('are found for texts that part no words, by their characters', () => {
    const { ids } = assign(['用户可以使用密码登录系统']);
    expect(assign(['用户可以使用密码登录网站'], ids).criteria[0]).toMatchObject({
      id: 'AC-001',
      foundBy: 'similarity',
    });
  });
});

describe('criterion ids, for any criteria,', () => {
  const texts = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), {
    maxLength: 12,
    selector: (text) => `${splitCriterionId(text).id}${normalizeCriterionText(splitCriterionId(text).text)}`,
  });
  // Sentences that share no word, so that only the changed one is like the one before.
  const sentences = fc
    .integer({ min: 1, max: 8 })
    .map((count) => Array.from({ length: count }, (_, n) => [`a${n}x`, `b${n}x`, `c${n}x`, `d${n}x`]));
  const byText = ({ criteria }: ReturnType<typeof assign>) =>
    Object.fromEntries(criteria.map(({ id, text }) => [text, id]));

  it('stay when the criteria change places', () => {
    fc.assert(
      fc.property(
        sentences.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([before, after]) => {
          const said = (all: string[][]) => all.map((words) => words.join(' '));
          const first = assign(said(before));
          expect(byText(assign(said(after), first.ids))).toEqual(byText(first));
        },
      ),
    );
  });

  it('stay when one word of each is changed', () => {
    fc.assert(
      fc.property(sentences, fc.integer({ min: 0, max: 3 }), (all, at) => {
        const first = assign(all.map((words) => words.join(' ')));
        const changed = all.map((words, index) => words.with(at, `new${index}`).join(' '));
        const ids = (assigned: typeof first) => assigned.criteria.map(({ id }) => id);
        expect(ids(assign(changed, first.ids))).toEqual(ids(first));
      }),
    );
  });

  it('are distinct, and a second look changes nothing', () => {
    fc.assert(
      fc.property(texts, (all) => {
        const first = assignCriterionIds(written(all), []);
        if (!first.ok) return;
        expect(new Set(first.criteria.map(({ id }) => id)).size).toBe(all.length);
        const again = assignCriterionIds(written(all), first.ids);
        expect(again.ok && again.ids).toEqual(first.ids);
        expect(again.ok && again.criteria.map(({ id }) => id)).toEqual(first.criteria.map(({ id }) => id));
      }),
    );
  });

  it('never mean two criteria through any history', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 5 }), (history) => {
        let known: CriterionIds = [];
        for (const all of history) {
          const result = assignCriterionIds(written(all), known);
          if (!result.ok) continue;
          expect(new Set(result.ids.map(({ id }) => id)).size).toBe(result.ids.length);
          for (const { id } of known) expect(result.ids.map((one) => one.id)).toContain(id);
          known = result.ids;
        }
      }),
    );
  });
});
