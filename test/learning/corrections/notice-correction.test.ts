import { describe, expect, it } from 'vitest';
import {
  judgePrompt,
  noticeCorrection,
  weighCues,
} from '../../../src/learning/corrections/notice-correction.ts';
import type { PromptBefore } from '../../../src/learning/corrections/read-cues.ts';
import { readCues } from '../../../src/learning/corrections/read-cues.ts';
import { readCorrectionSamples } from '../correction-samples/read-correction-samples.ts';
import { LANGUAGES, readLabelledPrompts, SETS, STYLES } from './labelled-prompts.ts';

const DONE: PromptBefore = {
  message: 'Done. I have changed the code, and all tests pass.',
  tools: [{ tool: 'Edit', target: 'src/cart.ts' }],
  edited: ['src/cart.ts'],
};

const CORRECTIONS = [
  'No, that is wrong. I asked you for a list.',
  'you forgot the null check',
  'you forogt the null check',
  'still failing with the same error',
  'I never told you to push.',
  'undo that, it broke the sidebar',
  'This is not what I asked for.',
  'Nein, das ist falsch. Du hast die Tests vergessen.',
  'Non, tu as oublié les tests, ce n’est pas ce que je t’avais demandé.',
  'Eso está mal, has borrado los tests que te pedí conservar.',
  "No, that's wrong: don't use lodash here",
  'Revert that, please.',
  'I said no new dependencies',
  'You did it again: the tests are gone.',
  'That broke the login.',
  'wrong file',
  "Don't use moment here, we use date-fns",
];

const ORDINARY = [
  'Thanks, works! Now add a page for the orders.',
  'I changed my mind, let us use PostgreSQL instead. Undo it.',
  'My mistake, I gave you the wrong path.',
  'Add an undo button to the editor.',
  'Users report that the login does not work on Safari. Find out why.',
  'CI is failing on main, it was failing before you started.',
  'stop for now, I have a meeting',
  'The endpoint should not mutate its input. Please implement it.',
  'The customer wrote: "you deleted my data and this is wrong". Answer them.',
  'Danke, passt. Jetzt noch die Einstellungen.',
  'Merci, parfait. Ajoute aussi une page.',
  'Perfecto, ahora funciona. Añade la página de pedidos.',
  "Don't use lodash in the next module.",
  'Could you explain what changed?',
  'Not now, first I want to look at it.',
];

describe('[LEARN-3] a correction is detected', () => {
  it.each(CORRECTIONS)('in: %s', (prompt) => {
    expect(noticeCorrection(prompt, DONE)).toMatchObject({
      signs: ['words'],
      quotes: [prompt, DONE.message],
    });
  });

  it.each(ORDINARY)('and not in: %s', (prompt) => {
    expect(noticeCorrection(prompt, DONE)).toBeUndefined();
  });

  it('in a bare no after an action, and not in the answer to a question or an offer', () => {
    expect(noticeCorrection('no', DONE)).toBeDefined();
    expect(
      noticeCorrection('no', { ...DONE, message: 'Shall I delete the old table as well?' }),
    ).toBeUndefined();
    expect(noticeCorrection('no', { ...DONE, message: 'I can add tests if you like.' })).toBeUndefined();
    const which = { ...DONE, edited: [], message: 'Which package manager does this project use?' };
    expect(noticeCorrection('we use pnpm here', which)).toBeUndefined();
  });

  it('in a plain correction also after an offer, and after only a command', () => {
    const plain = "No, that's wrong: don't use lodash here";
    const offer = 'I added debounce from lodash. Let me know if you want me to add tests.';
    expect(noticeCorrection(plain, { ...DONE, message: offer })).toBeDefined();
    const command = { message: '', tools: [{ tool: 'Bash', target: 'npm install lodash' }], edited: [] };
    expect(noticeCorrection(plain, command)).toBeDefined();
  });

  it('more readily after restored files, an interrupted tool or the same request before', () => {
    const prompt = 'you forgot the label of this page, it is still missing';
    const plain = judgePrompt(prompt, DONE).confidence;
    const signs = {
      put_back: { reverted: ['src/cart.ts'] },
      interrupted: { interrupted: { tool: 'Bash', target: 'rm -rf build' } },
      repeated: { earlierPrompts: [prompt] },
    };
    for (const [sign, facts] of Object.entries(signs)) {
      const noticed = noticeCorrection(prompt, { ...DONE, ...facts });
      expect(noticed?.signs).toContain(sign);
      expect(judgePrompt(prompt, { ...DONE, ...facts }).confidence).toBeGreaterThan(plain);
    }
    expect(noticeCorrection('now the orders page', { ...DONE, reverted: ['src/cart.ts'] })).toBeUndefined();
  });

  it('not in pasted code, logs or quotes', () => {
    const pasted = [
      '```\nyou broke it, this is wrong, undo that\n```',
      '2026-11-15 10:00 this is wrong',
      '> you broke it',
    ];
    for (const text of pasted) expect(noticeCorrection(text, DONE)).toBeUndefined();
  });

  it('and lists the cues by weight', () => {
    const weighed = weighCues(readCues('you forgot the null check', DONE) ?? []);
    expect(weighed.find(({ cue }) => cue === 'you omit')?.weight).toBeGreaterThan(0);
    const sizes = weighed.map(({ weight }) => Math.abs(weight));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });

  it.each([
    ['it', 'Hai dimenticato i test, non è quello che ti avevo chiesto.'],
    ['ru', 'Ты опять забыл тесты, это не то, что я просил.'],
    ['zh', '不对，你又把测试删了，我没让你动它'],
  ])('and not in a language without a vocabulary: %s', (_language, prompt) => {
    expect(judgePrompt(prompt, DONE)).toEqual({ confidence: 0, signs: [] });
  });

  it('in any text without failing, and with short quotes', () => {
    const odd = ['', ' \n', '\u0000', '\ud800', '?'.repeat(10_000), '```'.repeat(3000), '1. '.repeat(3000)];
    for (const text of odd) noticeCorrection(text, { message: '', tools: [], edited: [] });
    const huge = 'You broke it again. '.repeat(500_000);
    noticeCorrection(huge, { ...DONE, message: huge, earlierPrompts: [huge] });
    const long = noticeCorrection(`You broke it. ${'x'.repeat(50)}`, { ...DONE, message: 'y'.repeat(9000) });
    expect(long?.quotes.every((quote) => quote.length <= 400)).toBe(true);
  });
});

interface Score {
  right: number;
  wrong: number;
  missed: number;
}

const scored = SETS.flatMap((set) =>
  readLabelledPrompts(set).map(({ language, style, prompt, previous, signals, correction }) => ({
    set,
    language,
    style,
    correction,
    noticed: noticeCorrection(prompt, { ...previous, ...signals }) !== undefined,
  })),
);

function scoreOf(
  rows: readonly { correction: boolean; noticed: boolean }[],
): Score & { precision: number; recall: number } {
  const right = rows.filter(({ correction, noticed }) => correction && noticed).length;
  const wrong = rows.filter(({ correction, noticed }) => !correction && noticed).length;
  const missed = rows.filter(({ correction, noticed }) => correction && !noticed).length;
  return { right, wrong, missed, precision: right / (right + wrong), recall: right / (right + missed) };
}

/** Totals only: nobody should read the prompts to improve the detector. */
function table(): string {
  const lines = [...LANGUAGES, ...STYLES].map((name) => {
    const { right, wrong, missed } = scoreOf(
      scored.filter(({ language, style }) => language === name || style === name),
    );
    return `${name}: ${right} right, ${wrong} wrong, ${missed} missed`;
  });
  return lines.join('\n');
}

const SUPPORTED: readonly string[] = ['en', 'de', 'fr', 'es'];

it.each(SETS)(
  '[LEARN-3] in the %s labelled set, half of the corrections are detected and few invented',
  (set) => {
    const rows = scored.filter((row) => row.set === set);
    expect(scoreOf(rows).precision, table()).toBeGreaterThanOrEqual(0.95);
    const supported = rows.filter(({ language }) => SUPPORTED.includes(language));
    expect(scoreOf(supported).recall, table()).toBeGreaterThanOrEqual(0.5);
  },
);

it('[LEARN-3] in the samples used to adjust its weights, few are invented', () => {
  const samples = readCorrectionSamples().map(({ prompt, before, correction }) => ({
    correction,
    noticed: noticeCorrection(prompt, before) !== undefined,
  }));
  const { precision, recall } = scoreOf(samples);
  expect(precision).toBeGreaterThanOrEqual(0.96);
  expect(recall).toBeGreaterThanOrEqual(0.55);
});
