import { describe, expect, it } from 'vitest';
import {
  judgePrompt,
  noticeCorrection,
  type PromptBefore,
} from '../../src/learning/corrections/notice-correction.ts';
import { readTraits } from '../../src/learning/corrections/read-traits.ts';
import { weighTraits } from '../../src/learning/corrections/weigh-traits.ts';
import { readCorrectionSamples } from './correction-samples/read-correction-samples.ts';
import { LANGUAGES, readLabelledPrompts, SETS, STYLES } from './corrections/labelled-prompts.ts';

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
  'Hai dimenticato i test, non è quello che ti avevo chiesto.',
  'Ты опять забыл тесты, это не то, что я просил.',
  '不对，你又把测试删了，我没让你动它',
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
  '谢谢，很好。接下来加一个页面。',
];

describe('[LEARN-3] a correction is noticed', () => {
  it.each(CORRECTIONS)('in: %s', (prompt) => {
    expect(noticeCorrection(prompt, DONE)).toMatchObject({
      signs: ['words'],
      quotes: [prompt, DONE.message],
    });
  });

  it.each(ORDINARY)('and not in: %s', (prompt) => {
    expect(noticeCorrection(prompt, DONE)).toBeUndefined();
  });

  it('in a bare no after something was done, and not in the answer to a question or an offer', () => {
    expect(noticeCorrection('no', DONE)).toBeDefined();
    expect(
      noticeCorrection('no', { ...DONE, message: 'Shall I delete the old table as well?' }),
    ).toBeUndefined();
    expect(noticeCorrection('no', { ...DONE, message: 'I can add tests if you like.' })).toBeUndefined();
  });

  it('sooner where files were put back, a tool was cut short, or the same was said before', () => {
    const prompt = 'you forgot the label of this page, it is still missing';
    const plain = judgePrompt(prompt, DONE).confidence;
    const signs = {
      put_back: { putBack: ['src/cart.ts'] },
      interrupted: { interrupted: { tool: 'Bash', target: 'rm -rf build' } },
      repeated: { earlierPrompts: [prompt] },
    };
    for (const [sign, facts] of Object.entries(signs)) {
      const noticed = noticeCorrection(prompt, { ...DONE, ...facts });
      expect(noticed?.signs).toContain(sign);
      expect(judgePrompt(prompt, { ...DONE, ...facts }).confidence).toBeGreaterThan(plain);
    }
    expect(noticeCorrection('now the orders page', { ...DONE, putBack: ['src/cart.ts'] })).toBeUndefined();
  });

  it('in no code, log or quote that was pasted', () => {
    const pasted = [
      '```\nyou broke it, this is wrong, undo that\n```',
      '2026-11-15 10:00 this is wrong',
      '> you broke it',
    ];
    for (const text of pasted) expect(noticeCorrection(text, DONE)).toBeUndefined();
  });

  it('and tells what weighed most', () => {
    const traits = readTraits('you forgot the null check', DONE);
    const weights = weighTraits(traits ?? new Map());
    expect(weights.find(({ trait }) => trait === 'you omit')?.weight).toBeGreaterThan(0);
    const sizes = weights.map(({ weight }) => Math.abs(weight));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
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

/** By language and style only: whoever mends the detector must not see the prompts. */
function table(): string {
  const lines = [...LANGUAGES, ...STYLES].map((name) => {
    const { right, wrong, missed } = scoreOf(
      scored.filter(({ language, style }) => language === name || style === name),
    );
    return `${name}: ${right} right, ${wrong} wrong, ${missed} missed`;
  });
  return lines.join('\n');
}

it('[LEARN-3] of prompts that strangers labelled, it notices six in ten corrections and makes up hardly any', () => {
  for (const rows of [scored, scored.filter(({ set }) => set === 'second')]) {
    const { precision, recall } = scoreOf(rows);
    expect(precision, table()).toBeGreaterThanOrEqual(0.95);
    expect(recall, table()).toBeGreaterThanOrEqual(0.6);
  }
});

/* The first set is the harder one. */
it('[LEARN-3] of those that were labelled before any detector existed, it makes up few', () => {
  const { precision, recall } = scoreOf(scored.filter(({ set }) => set === 'first'));
  expect(precision, table()).toBeGreaterThanOrEqual(0.93);
  expect(recall, table()).toBeGreaterThanOrEqual(0.6);
});

it('[LEARN-3] on the prompts that its weights were found with, it makes up nearly nothing', () => {
  const samples = readCorrectionSamples()
    .filter((_sample, index) => index % 4 === 0)
    .map(({ prompt, before, correction }) => ({
      correction,
      noticed: noticeCorrection(prompt, before) !== undefined,
    }));
  const { precision, recall } = scoreOf(samples);
  expect(precision).toBeGreaterThanOrEqual(0.99);
  expect(recall).toBeGreaterThanOrEqual(0.8);
});
