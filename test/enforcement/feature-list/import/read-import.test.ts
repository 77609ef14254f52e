import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readImport } from '../../../../src/enforcement/feature-list/import/read-import.ts';
import { runs } from '../../../support/thorough.ts';

function read(content: unknown) {
  const reading = readImport(typeof content === 'string' ? content : JSON.stringify(content));
  if (!reading.ok) throw new Error(reading.why);
  return reading.imported;
}

describe('a quickstart list', () => {
  const item = {
    category: 'functional',
    description: 'New chat button makes a fresh conversation',
    steps: ['Step 1: Click the button', 'Step 2: See it', 'Step 1: Click the button'],
    passes: true,
  };

  it('becomes features with steps as criteria, claimed but not tested', () => {
    expect(read([item, { ...item, description: 'Other', passes: false }])).toEqual({
      format: 'quickstart',
      faults: [],
      claimed: [expect.stringMatching(/^new-chat-button-makes-a-fresh-conversati-[0-9a-f]{8}$/)],
      features: [
        {
          id: expect.stringMatching(/^new-chat/),
          values: {
            description: item.description,
            acceptance_criteria: [{ text: 'Step 1: Click the button' }, { text: 'Step 2: See it' }],
            status: 'completed',
            extra: { category: 'functional' },
          },
        },
        {
          id: expect.stringMatching(/^other-[0-9a-f]{8}$/),
          values: {
            description: 'Other',
            acceptance_criteria: expect.any(Array),
            extra: { category: 'functional' },
          },
        },
      ],
    });
  });

  it('has ids that depend only on the text, and different ones for repeated texts', () => {
    const alone = read([item]).features[0]?.id;
    const ids = read([{ description: 'First' }, item, item]).features.map(({ id }) => id);
    expect(ids.slice(1)).toEqual([alone, `${alone}-2`]);
    expect(read([{ ...item, description: `  ${item.description}. ` }]).features[0]?.id).toBe(alone);
  });

  it.each([
    [[{ description: '' }], 'features[0]'],
    [[{ description: 'a', steps: 'all' }], 'features[0]'],
    [[{ description: 'a' }, 7], 'features[1]'],
  ])('%j has a fault with its position', (content, feature) => {
    expect(read(content).faults).toMatchObject([{ feature }]);
  });
});

describe('GuardKit’s own list', () => {
  it('loses the fields that only GuardKit sets, and reports the claims', () => {
    const { format, features, claimed } = read({
      version: 1,
      features: [
        {
          id: 'F1',
          description: 'a',
          tested: true,
          evidence: ['x'],
          retries: 2,
          blocked_reason: 'b',
          notes: 'n',
        },
        { id: 'F2', description: 'b', passes: true, owner: 'me' },
        { id: 'F3', description: 'c', tested: false },
      ],
    });
    expect({ format, claimed }).toEqual({ format: 'guardkit', claimed: ['F1', 'F2'] });
    expect(features).toEqual([
      { id: 'F1', values: { description: 'a', notes: 'n', extra: {} } },
      { id: 'F2', values: { description: 'b', extra: { owner: 'me' } } },
      { id: 'F3', values: { description: 'c', extra: {} } },
    ]);
  });
});

describe('a Markdown checklist', () => {
  it('turns boxes into features and the bullets below into criteria', () => {
    const { features, claimed, format } = read(
      [
        '# Plan',
        '- [ ] FEAT-7: People log in',
        '      with a password',
        '  - A form',
        '    that fits a phone',
        '\t- [x] AC-5: A password field',
        '    1. Nested further',
        '',
        '* [X] People log out',
        'A paragraph.',
        '  - no criterion of anything',
        '- a plain bullet',
        '  - [ ] Below a plain one',
        '```',
        '- [ ] in code',
        '```',
        '<!--',
        '- [ ] in a comment',
        '-->',
        '[ ] no bullet',
      ].join('\r\n'),
    );
    expect(format).toBe('checklist');
    expect(features).toEqual([
      {
        id: 'FEAT-7',
        values: {
          description: 'People log in with a password',
          acceptance_criteria: [
            { text: 'A form that fits a phone' },
            { id: 'AC-5', text: 'A password field' },
            { text: 'Nested further' },
          ],
        },
      },
      {
        id: expect.stringMatching(/^people-log-out-/),
        values: { description: 'People log out', acceptance_criteria: [], status: 'completed' },
      },
      {
        id: expect.stringMatching(/^below-a-plain-one-/),
        values: { description: 'Below a plain one', acceptance_criteria: [] },
      },
    ]);
    expect(claimed).toEqual([features[1]?.id]);
  });

  it('has a fault, with its line, if a feature is too large', () => {
    const many = Array.from({ length: 201 }, (_, index) => `  - criterion ${index}`);
    expect(read(['', '- [ ] a', ...many].join('\n')).faults).toMatchObject([{ feature: 'line 2' }]);
    expect(read(`- [ ] ${'x'.repeat(30_000)}`).faults).toMatchObject([{ feature: 'line 1' }]);
    expect(read('- [ ] a\n'.repeat(5001)).faults).toMatchObject([
      { feature: '', why: expect.stringContaining('5000') },
    ]);
  });

  it('gives text of any script a legal id', () => {
    expect(read('- [ ] 登录\n- [ ] Größe ändern').features.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^feature-[0-9a-f]{8}$/),
      expect.stringMatching(/^gro-e-a-ndern-[0-9a-f]{8}$/),
    ]);
  });
});

it.each([
  ['plain text', 'Just words.', /\bMarkdown\b/],
  ['nothing', '', /\bMarkdown\b/],
  ['broken JSON', '{"features": [', /\bJSON\b/],
  ['JSON without features', '{"a": 1}', /\bfeatures\b/],
  ['JSON nested without end', `[{"a":${'['.repeat(2_000_000)}`, /\S/],
  ['too much', `- [ ] ${'a'.repeat(5_000_000)}`, /\b4 MB\b/],
])('%s is rejected with a reason', (_case, text, why) => {
  expect(readImport(text)).toEqual({ ok: false, why: expect.stringMatching(why) });
});

it('accepts any text without throwing, and never repeats an id', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom('- [ ] a', '- [x] a', '  - b', '\t* [ ] c', '```', '<!--', '-->', '- [ ] A-1: a'),
  );
  const value = fc.oneof(
    fc.array(line).map((lines) => lines.join('\n')),
    fc.json(),
  );
  fc.assert(
    fc.property(value, (text) => {
      const reading = readImport(text);
      if (!reading.ok) return;
      const ids = reading.imported.features.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: runs(300) },
  );
});
