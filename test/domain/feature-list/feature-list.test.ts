import { describe, expect, it } from 'vitest';
import { featureListSchema } from '../../../src/config/project/json-schemas.ts';
import { featureSchema } from '../../../src/domain/entities/feature.ts';
import {
  type FeatureList,
  readFeatureList,
  writeFeatureList,
} from '../../../src/domain/feature-list/feature-list.ts';
import { judgeListChange } from '../../../src/domain/feature-list/judge-list-change.ts';

function read(value: unknown): FeatureList {
  const reading = readFeatureList(typeof value === 'string' ? value : JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.why);
  return reading.list;
}

function one(fields: Record<string, unknown>) {
  const list = read({ features: [{ id: 'F1', ...fields }] });
  return { values: list.features[0]?.values, faults: list.faults.map(({ field }) => field) };
}

describe('reading a list', () => {
  it.each([true, 'true', 'TRUE', ' True ', 1, 'yes', 'passed', {}, [], [false], 2, -1])(
    'takes tested: %j for a claim that it is tested',
    (tested) => {
      expect(one({ tested }).values?.tested).toBe(true);
    },
  );

  it.each([false, 'false', 'FALSE', 0, '', 'no', '0'])('takes tested: %j for no claim', (tested) => {
    expect(one({ tested }).values?.tested).toBe(false);
  });

  it('leaves out a field that is missing or null', () => {
    expect(one({ tested: null, priority: null }).values).toEqual({ extra: {} });
  });

  it('reads the different spellings of people and agents', () => {
    expect(one({ status: 'In-Progress' }).values?.status).toBe('in_progress');
    expect(one({ priority: 'P2' }).values?.priority).toBe(2);
    expect(one({ priority: 'high' }).values?.priority).toBe(2);
    expect(one({ notes: ['one', 'two'] }).values?.notes).toBe('one\ntwo');
    expect(one({ acceptance_criteria: ['AC-7: logs in', { text: 'logs out' }] }).values).toMatchObject({
      acceptance_criteria: [{ id: 'AC-7', text: 'logs in' }, { text: 'logs out' }],
    });
    expect(one({ acceptance_criteria: ['AC-7:'] }).values?.acceptance_criteria).toEqual([{ text: 'AC-7:' }]);
  });

  it.each([
    ['priority', 'urgent'],
    ['priority', 0],
    ['status', 'done'],
    ['complexity', 11],
    ['task_type', ''],
    ['dependencies', 'F2'],
    ['dependencies', ['not an id']],
    ['acceptance_criteria', 'logs in'],
    ['acceptance_criteria', [42]],
    ['acceptance_criteria', ['']],
    ['description', 7],
    ['description', 'x'.repeat(20_001)],
    ['ui', 'yes'],
    ['retries', 'none'],
    ['files', [null]],
    ['notes', { text: 'x' }],
    ['verify', []],
    ['blocked_reason', 7],
  ])('reports that %s: %j cannot be read, and leaves it out', (field, value) => {
    const { values, faults } = one({ [field]: value });
    expect(faults).toEqual([field]);
    expect(values).not.toHaveProperty(field, value);
  });

  it('treats anything that looks like evidence as a claim', () => {
    expect(one({ evidence: 'I ran it' }).values?.evidence).toEqual(['I ran it']);
    expect(one({ evidence: [{ ok: true }] }).values?.evidence).toEqual(['?']);
  });

  it('preserves unknown fields, and refuses those easily mistaken for known ones', () => {
    const { values, faults } = one({ owner: { name: 'Ada' }, Tested: true, ' evidence': ['x'] });
    expect(values?.extra).toEqual({ owner: { name: 'Ada' } });
    expect(faults).toEqual(['Tested', ' evidence']);
  });

  it('refuses names that look like a field of GuardKit through letters of another script or invisible ones', () => {
    const alike = ['t\u0435sted', 'tes\u200bted', '\uff54ested', 'r\u0435tri\u0435s', 'tested\u0301'];
    expect(one(Object.fromEntries(alike.map((key) => [key, true]))).faults).toEqual(alike);
    const free = { prüfung: 1, '\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e': 2, tasted: 3, estimates: 4 };
    expect(one(free)).toMatchObject({ values: { extra: free }, faults: [] });
  });

  it('is not misled by __proto__, in a feature or at the top', () => {
    const text = '{"__proto__":{"features":[]},"features":[{"id":"F1","__proto__":{"tested":true}}]}';
    const list = read(text);
    expect(list.features).toEqual([{ id: 'F1', values: { extra: {} } }]);
    expect(list.faults.map(({ field }) => field)).toEqual(['__proto__', '__proto__']);
    expect(({} as { tested?: boolean }).tested).toBeUndefined();
    expect(readFeatureList('{"__proto__":{"features":[{"id":"F1"}]}}')).toMatchObject({ ok: false });
  });

  it('skips items that are not features, and duplicate ids in any case', () => {
    const list = read({
      features: [null, 7, {}, { id: '../x' }, { id: 'a..b' }, { id: 'F1' }, { id: 'f1' }],
    });
    expect(list.features.map(({ id }) => id)).toEqual(['F1']);
    expect(list.faults).toHaveLength(6);
  });

  it('reads a bare array, a byte order mark, and keeps unknown fields at the top', () => {
    expect(read([{ id: 'F1' }]).features).toHaveLength(1);
    expect(read('\uFEFF{"features":[],"team":"blue"}').extra).toEqual({ team: 'blue' });
  });

  it.each(['', 'null', '7', '"x"', '{}', '{"features":{}}', '{"features":[', '[1,]'])(
    'answers that %j is no list',
    (text) => {
      expect(readFeatureList(text)).toMatchObject({ ok: false });
    },
  );

  it('reads no more than 4 MB and no more than 5,000 features', () => {
    expect(readFeatureList(`{"features":[]}${' '.repeat(4 * 1024 * 1024)}`)).toMatchObject({ ok: false });
    const many = read({ features: Array.from({ length: 5001 }, (_, index) => ({ id: `F${index}` })) });
    expect(many.features).toHaveLength(5000);
    expect(many.faults).toHaveLength(1);
  });

  it('is not brought down by nesting without end', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const list = read(`{"features":[{"id":"F1","x":${nested(1000)},"verify":{"x":${nested(1000)}}}]}`);
    expect(list.faults.map(({ field }) => field)).toEqual(['verify', 'x']);
    expect(readFeatureList(nested(2_000_000))).toMatchObject({ ok: false });
    const brackets = JSON.stringify(`\\"${'[{'.repeat(9000)}`);
    const text = `{"features":[{"id":"F1","x":[${Array(65).fill(brackets).join()}]}]}`;
    expect(readFeatureList(text)).toMatchObject({ ok: true });
  });
});

describe('writing a list', () => {
  const feature = featureSchema.parse({
    id: 'F1',
    description: 'Log in',
    acceptance_criteria: [{ id: 'AC-001', text: 'logs in' }],
    extra: { owner: 'Ada' },
    tested_tree: 'abc',
    tested_in: '/somewhere',
  });

  it('has the same text for the same features, and shows nothing of how GuardKit keeps them', () => {
    const text = writeFeatureList('shop-1', [feature]);
    expect(text).toBe(writeFeatureList('shop-1', [{ ...feature }]));
    expect(JSON.parse(text)).toEqual({
      version: 1,
      project: 'shop-1',
      features: [
        {
          id: 'F1',
          description: 'Log in',
          priority: 3,
          status: 'pending',
          tested: false,
          retries: 0,
          dependencies: [],
          task_type: 'feature',
          complexity: 5,
          acceptance_criteria: [{ id: 'AC-001', text: 'logs in' }],
          verify: null,
          ui: false,
          files: [],
          notes: '',
          evidence: [],
          blocked_reason: null,
          owner: 'Ada',
        },
      ],
    });
    expect(Object.keys(JSON.parse(text).features[0]).slice(0, 4)).toEqual([
      'id',
      'description',
      'priority',
      'status',
    ]);
  });

  it('is laid out as any JSON with two spaces', () => {
    const extra = { team: ['blue'] };
    for (const features of [[], [feature], [feature, { ...feature, id: 'F2', notes: 'a\nb' }]]) {
      const text = writeFeatureList('shop-1', features, extra);
      expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    }
  });

  it('fits the schema that is shipped', () => {
    expect(
      featureListSchema.safeParse(JSON.parse(writeFeatureList('shop-1', [feature]))).error,
    ).toBeUndefined();
  });

  it('reads back as the features it was written from', () => {
    const list = read(writeFeatureList('shop-1', [feature], { team: 'blue' }));
    expect(list).toMatchObject({ faults: [], extra: { team: 'blue' } });
    expect(judgeListChange([feature], list, { kind: 'agent', type: 'tester' })).toMatchObject({
      faults: [],
      changed: [],
      removed: [],
    });
  });
});
