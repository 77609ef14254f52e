import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FEATURE_STATUSES, type Feature, featureSchema } from '../../../src/domain/entities/feature.ts';
import { readFeatureList, writeFeatureList } from '../../../src/domain/feature-list/feature-list.ts';
import { judgeListChange, type ListJudgement } from '../../../src/domain/feature-list/judge-list-change.ts';
import { CONTROLLED_FIELDS } from '../../../src/domain/feature-list/list-fields.ts';
import type { ListEditor } from '../../../src/domain/feature-list/list-rights.ts';

const PERSON: ListEditor = { kind: 'person' };
const agent = (type?: string): ListEditor => ({ kind: 'agent', type });

const F1 = featureSchema.parse({
  id: 'F1',
  description: 'Log in',
  acceptance_criteria: [
    { id: 'AC-001', text: 'a person logs in with a password' },
    { id: 'AC-002', text: 'a wrong password is refused at once' },
  ],
});
const F2 = featureSchema.parse({ id: 'F2', status: 'blocked', blocked_reason: 'no key', retries: 2 });
const F3 = featureSchema.parse({
  id: 'F3',
  tested: true,
  evidence: ['VER-1'],
  defined_in: '.guardkit/features/F3.yaml',
});
const BEFORE = [F1, F2, F3];

/** The list as an agent or a person left it. */
function judge(after: unknown, editor: ListEditor, before: readonly Feature[] = BEFORE): ListJudgement {
  const reading = readFeatureList(JSON.stringify(after));
  if (!reading.ok) throw new Error(reading.why);
  return judgeListChange(before, reading.list, editor);
}

/** The list with some fields of one feature changed. */
function changed(id: string, fields: Record<string, unknown>) {
  const list = JSON.parse(writeFeatureList('shop-1', BEFORE));
  return {
    ...list,
    features: list.features.map((one: { id: string }) => (one.id === id ? { ...one, ...fields } : one)),
  };
}

function faultsOf(id: string, fields: Record<string, unknown>, editor: ListEditor): string[] {
  return judge(changed(id, fields), editor).faults.map(({ feature, field }) => `${feature}.${field}`);
}

describe('a field that only GuardKit sets', () => {
  it.each([
    ['F1', 'tested', true],
    ['F1', 'tested', 'true'],
    ['F3', 'tested', false],
    ['F1', 'evidence', ['VER-9']],
    ['F2', 'retries', 0],
    ['F2', 'blocked_reason', null],
    ['F1', 'blocked_reason', 'cannot go on'],
  ])('%s.%s cannot be set to %j by anybody', (id, field, value) => {
    for (const editor of [PERSON, agent(), agent('initializer-agent'), agent('coding'), agent('tester')]) {
      const { faults, merged } = judge(changed(id, { [field]: value }), editor);
      expect(faults.map((one) => `${one.feature}.${one.field}`)).toEqual([`${id}.${field}`]);
      expect(merged).toEqual(BEFORE);
    }
  });

  it('is refused with who sets it, and how', () => {
    const [fault] = judge(changed('F1', { tested: true }), agent('coding')).faults;
    expect(fault).toMatchObject({
      feature: 'F1',
      field: 'tested',
      guidance: expect.stringContaining('guardkit verify F1'),
    });
  });
});

describe('rights', () => {
  const cases: [type: string | undefined, fields: Record<string, unknown>, allowed: boolean][] = [
    ['coding', { status: 'in_progress' }, true],
    ['coding-agent', { status: 'completed', notes: 'done', files: ['a.ts'] }, true],
    ['guardkit:Coding-Agent', { status: 'completed' }, true],
    ['player', { status: 'completed' }, true],
    ['general-purpose', { status: 'completed' }, true],
    ['coding', { status: 'blocked' }, false],
    ['coding', { priority: 1 }, false],
    ['coding', { description: 'Less' }, false],
    ['coding', { complexity: 1 }, false],
    ['coding', { task_type: 'documentation' }, false],
    ['coding', { verify: { tests: { command: 'true' } } }, false],
    ['person', { priority: 1 }, false],
    ['tester', { notes: 'seen' }, true],
    ['tester-agent', { status: 'completed' }, false],
    ['coach', { files: ['a.ts'] }, false],
    ['initializer', { priority: 1, notes: 'x', dependencies: ['F2'] }, true],
    ['initializer-agent', { status: 'completed' }, false],
    ['initializer', { description: 'Less' }, false],
    [undefined, { status: 'completed', priority: 2, notes: 'x' }, true],
    [undefined, { status: 'pending' }, true],
    [undefined, { status: 'blocked' }, false],
    [undefined, { description: 'Less' }, false],
    [undefined, { ui: true }, false],
  ];

  it.each(cases)('an agent of type %j that sets %j: %j', (type, fields, allowed) => {
    const { faults, merged } = judge(changed('F1', fields), agent(type));
    expect(faults.length === 0).toBe(allowed);
    expect(merged[0]).toEqual(allowed ? { ...F1, ...fields } : F1);
  });

  it('a coding agent cannot set a started feature back', () => {
    const begun = [{ ...F1, status: 'in_progress' as const }];
    const after = {
      features: [{ id: 'F1', status: 'pending', acceptance_criteria: F1.acceptance_criteria }],
    };
    expect(judge(after, agent('coding'), begun).faults.map(({ field }) => field)).toEqual(['status']);
    expect(judge(after, agent(), begun).faults).toEqual([]);
  });

  it('of two concurrent agents either may have made the change, and no one else', () => {
    const tester: ListEditor = { kind: 'agent', type: 'tester', beside: ['coding-agent', 'tester'] };
    expect(faultsOf('F1', { status: 'completed', notes: 'x', files: ['a'] }, tester)).toEqual([]);
    expect(faultsOf('F1', { priority: 1 }, tester)).toEqual(['F1.priority']);
    expect(faultsOf('F1', { tested: true }, tester)).toEqual(['F1.tested']);
  });

  it('only a person unblocks', () => {
    for (const editor of [agent(), agent('coding'), agent('initializer')]) {
      expect(faultsOf('F2', { status: 'in_progress' }, editor)).toEqual(['F2.status']);
    }
    expect(judge(changed('F2', { status: 'pending' }), PERSON)).toMatchObject({
      faults: [],
      changed: [{ id: 'F2', status: 'pending', blocked_reason: 'no key' }],
    });
  });

  it('a person changes everything else, except fields that a file defines', () => {
    const fields = { description: 'Sign in', priority: 1, complexity: 9, ui: true, dependencies: ['F3'] };
    expect(judge(changed('F1', fields), PERSON)).toMatchObject({ faults: [], changed: [fields] });
    const [fault] = judge(changed('F3', { description: 'Else' }), PERSON).faults;
    expect(fault?.guidance).toContain('.guardkit/features/F3.yaml');
    expect(faultsOf('F3', { status: 'in_progress', notes: 'begun' }, agent('coding'))).toEqual([]);
  });

  it('fields that GuardKit does not know are free', () => {
    expect(judge(changed('F1', { owner: 'Ada' }), agent('tester'))).toMatchObject({
      faults: [],
      changed: [{ id: 'F1', extra: { owner: 'Ada' } }],
    });
  });
});

describe('criteria', () => {
  const [first, second] = F1.acceptance_criteria;
  const without = { acceptance_criteria: [first] };
  const reworded = { acceptance_criteria: [first, { id: 'AC-002', text: 'a wrong password is noticed' }] };
  const further = { acceptance_criteria: [first, second, 'sessions end after an hour'] };

  it.each([undefined, 'initializer', 'coding', 'tester'])(
    'an agent of type %j neither removes nor rewords one, and cannot leave them out',
    (type) => {
      for (const fields of [
        without,
        reworded,
        { acceptance_criteria: [] },
        { acceptance_criteria: undefined },
      ]) {
        const { faults, merged } = judge(changed('F1', fields), agent(type));
        expect(faults.map(({ field }) => field)).toEqual(['acceptance_criteria']);
        expect(merged[0]).toEqual(F1);
      }
    },
  );

  it('the initializer adds some, with ids of their own; others do not', () => {
    const { faults, merged } = judge(changed('F1', further), agent('initializer'));
    expect(faults).toEqual([]);
    expect(merged[0]?.acceptance_criteria).toEqual([
      first,
      second,
      { id: 'AC-003', text: 'sessions end after an hour' },
    ]);
    expect(faultsOf('F1', further, agent('coding'))).toEqual(['F1.acceptance_criteria']);
  });

  it('the initializer that adds one and removes another keeps both', () => {
    const fields = { acceptance_criteria: [first, 'sessions end after an hour'] };
    const { faults, merged } = judge(changed('F1', fields), agent('initializer'));
    expect(faults).toHaveLength(1);
    expect(merged[0]?.acceptance_criteria.map(({ id }) => id)).toEqual(['AC-001', 'AC-002', 'AC-003']);
  });

  it('a person removes, rewords and adds', () => {
    expect(judge(changed('F1', without), PERSON).merged[0]?.acceptance_criteria).toEqual([first]);
    expect(judge(changed('F1', reworded), PERSON).merged[0]?.acceptance_criteria[1]?.text).toContain(
      'noticed',
    );
    expect(judge(changed('F1', further), PERSON).faults).toEqual([]);
  });

  it('the same criteria as plain texts are the same criteria', () => {
    const texts = F1.acceptance_criteria.map(({ text }) => text);
    const withIds = F1.acceptance_criteria.map(({ id, text }) => `${id}: ${text}`);
    for (const acceptance_criteria of [texts, withIds])
      expect(judge(changed('F1', { acceptance_criteria }), agent('tester'))).toMatchObject({
        faults: [],
        changed: [],
      });
  });

  it('unreadable criteria are reported once, and stay', () => {
    expect(faultsOf('F1', { acceptance_criteria: 'none' }, agent('coding'))).toEqual([
      'F1.acceptance_criteria',
    ]);
    expect(faultsOf('F1', { acceptance_criteria: 7 }, PERSON)).toEqual(['F1.acceptance_criteria']);
  });
});

describe('features that come and go', () => {
  const list = (...features: unknown[]) => {
    const written = JSON.parse(writeFeatureList('shop-1', BEFORE));
    return { ...written, features: [...written.features, ...features] };
  };

  it.each([undefined, 'initializer', 'initializer-agent'])(
    'an agent of type %j adds some, untested',
    (type) => {
      const fresh = {
        id: 'F4',
        description: 'Pay',
        tested: true,
        complexity: 8,
        acceptance_criteria: ['it pays'],
      };
      const { faults, merged, adopted } = judge(list(fresh), agent(type));
      expect(faults.map(({ field }) => field)).toEqual(['tested']);
      expect(adopted).toEqual(['F4']);
      expect(merged[3]).toMatchObject({
        id: 'F4',
        description: 'Pay',
        complexity: 8,
        tested: false,
        acceptance_criteria: [{ id: 'AC-001', text: 'it pays' }],
      });
    },
  );

  it.each(['coding', 'tester', 'something-else'])('an agent of type %j adds none', (type) => {
    const { faults, merged, adopted } = judge(list({ id: 'F4' }), agent(type));
    expect(faults.map(({ feature }) => feature)).toEqual(['F4']);
    expect(merged).toEqual(BEFORE);
    expect(adopted).toEqual([]);
  });

  it('an agent cannot remove any, in any position', () => {
    for (const type of [undefined, 'initializer', 'coding']) {
      const { faults, merged } = judge({ features: [{ id: 'F2', acceptance_criteria: [] }] }, agent(type));
      expect(faults.map(({ feature }) => feature)).toEqual(['F1', 'F3']);
      expect(merged).toEqual(BEFORE);
    }
  });

  it('a person removes one, unless a file defines it', () => {
    const { removed, merged, faults } = judge({ features: [{ id: 'F2' }] }, PERSON);
    expect(removed).toEqual(['F1']);
    expect(merged).toEqual([F2, F3]);
    expect(faults.map(({ feature }) => feature)).toEqual(['F3']);
  });

  it('an id that differs from a known one by case alone is refused', () => {
    const written = JSON.parse(writeFeatureList('shop-1', BEFORE));
    const after = { features: [...written.features.slice(1), { id: 'f1' }] };
    const { faults, adopted } = judge(after, PERSON);
    expect(faults.map(({ feature }) => feature)).toEqual(['f1']);
    expect(adopted).toEqual([]);
  });

  it('a feature that is added as blocked is not', () => {
    const { faults, merged } = judge(list({ id: 'F4', status: 'blocked' }), agent());
    expect(faults.map(({ field }) => field)).toEqual(['status']);
    expect(merged[3]?.status).toBe('pending');
  });
});

describe('any list', () => {
  const id = fc.constantFrom('F1', 'F2', 'F3', 'F4', 'f1', '__proto__', 'x y');
  const junk = fc.jsonValue({ maxDepth: 2 });
  const listed = fc.dictionary(
    fc.constantFrom(
      ...CONTROLLED_FIELDS,
      'status',
      'notes',
      'priority',
      'acceptance_criteria',
      'Tested',
      'owner',
    ),
    fc.oneof(junk, fc.constantFrom(...FEATURE_STATUSES), fc.boolean()),
  );
  const lists = fc.array(fc.tuple(id, listed), { maxLength: 6 });
  const editors = fc.constantFrom(PERSON, agent(), agent('initializer'), agent('coding'), agent('tester'));

  it('no field that is GuardKit’s is ever another than before [DONE-2]', () => {
    fc.assert(
      fc.property(lists, editors, (items, editor) => {
        const { merged } = judge(
          { features: items.map(([key, values]) => ({ ...values, id: key })) },
          editor,
        );
        for (const one of merged) {
          const before = BEFORE.find((known) => known.id === one.id) ?? featureSchema.parse({ id: one.id });
          for (const field of [...CONTROLLED_FIELDS, 'tested_tree', 'closed', 'defined_in'] as const)
            expect(one[field]).toEqual(before[field]);
        }
      }),
    );
  });

  it('judging a merged list again changes nothing, for any editor', () => {
    fc.assert(
      fc.property(lists, editors, editors, (items, editor, other) => {
        const { merged } = judge(
          { features: items.map(([key, values]) => ({ ...values, id: key })) },
          editor,
        );
        const again = judge(JSON.parse(writeFeatureList('shop-1', merged)), other, merged);
        expect(again).toMatchObject({ faults: [], changed: [], removed: [], adopted: [] });
        expect(again.merged).toEqual(merged);
      }),
    );
  });

  it('an agent loses no feature and no criterion [DONE-2]', () => {
    fc.assert(
      fc.property(lists, fc.constantFrom(undefined, 'initializer', 'coding', 'tester'), (items, type) => {
        const { merged } = judge(
          { features: items.map(([key, values]) => ({ ...values, id: key })) },
          agent(type),
        );
        for (const before of BEFORE) {
          const now = merged.find((one) => one.id === before.id);
          expect(now?.acceptance_criteria.slice(0, before.acceptance_criteria.length)).toEqual(
            before.acceptance_criteria,
          );
        }
      }),
    );
  });
});
