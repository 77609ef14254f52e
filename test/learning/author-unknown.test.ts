import { expect, it } from 'vitest';
import { projectGroup } from '../../src/domain/entities/group.ts';
import { precedentsFor } from '../../src/learning/precedents/precedents-for.ts';
import { relabelViolations } from '../../src/store/ledger/relabel-violations.ts';
import { openMemory, PROJECT } from './memory.ts';

const CHANGED = {
  guard: 'protected-set',
  outcome: 'restored',
  what: '.guardkit/config.yaml was changed during: Bash npm test',
  attempted: 'edit .guardkit/config.yaml',
} as const;

const EVERYWHERE = ['1', '2', '3', '4'].map((n) => ({ ...CHANGED, feature: `FEAT-${n}`, session: `s${n}` }));

it('changes of unknown author make no pattern', async () => {
  const memory = await openMemory();
  await memory.tell(...EVERYWHERE);
  expect(await memory.extract()).toMatchObject({ read: 4, leftOut: 4, patterns: [] });
});

it('agents do not see them as precedents', async () => {
  const memory = await openMemory();
  await memory.tell(...EVERYWHERE);
  const { ids } = await precedentsFor(memory.store, PROJECT, {
    about: 'change .guardkit/config.yaml',
    feature: 'FEAT-1',
    agent: 'coding',
  });
  expect(ids).toEqual([]);
});

it('actions refused beforehand still count', async () => {
  const memory = await openMemory();
  await memory.tell(...EVERYWHERE.map((trace) => ({ ...trace, outcome: 'denied' as const })));
  expect((await memory.extract()).patterns).toMatchObject([{ guard: 'protected-set', count: 4 }]);
});

it('a pattern that an earlier version made from them is withdrawn once they are labelled', async () => {
  const memory = await openMemory();
  await memory.tell(...EVERYWHERE.map((trace) => ({ ...trace, outcome: 'denied' as const })));
  const [real] = (await memory.extract()).patterns;
  if (!real) throw new Error('no pattern');
  const group = projectGroup(PROJECT, 'patterns');
  const wrong = { ...real, pattern_id: 'PATTERN-wrong' };
  await memory.store.upsert({ group, entity_type: 'pattern', body: wrong, source: 'guardkit' });
  memory.ledger.append(PROJECT, 'violation_recorded', {
    session: 's1',
    agent: 'claude',
    agent_type: null,
    guard: 'protected-set',
    what: 'changed',
    path: '.guardkit/config.yaml',
    before_hash: null,
    found_hash: null,
    quarantined: null,
    restored: true,
    action: null,
  });
  expect((await memory.extract()).withdrawn).toEqual([]);
  relabelViolations(memory.ledger, PROJECT);
  const after = await memory.extract();
  expect(after.withdrawn).toEqual(['PATTERN-wrong']);
  expect(after.patterns.map(({ pattern_id }) => pattern_id)).toEqual([real.pattern_id]);
  expect((await memory.extract()).withdrawn).toEqual([]);
});
