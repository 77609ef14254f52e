import { expect, it } from 'vitest';
import { projectGroup } from '../../src/domain/entities/group.ts';
import { learn } from '../../src/learning/learn.ts';
import { learningSettings } from '../../src/learning/learning-settings.ts';
import { precedentsFor } from '../../src/learning/precedents/precedents-for.ts';
import { deliverOutbox } from '../../src/store/ledger/outbox/deliver-outbox.ts';
import { readLearnedGuards } from '../../src/store/ledger/tables/learned-guards.ts';
import { openMemory, PROJECT } from './memory.ts';

const FEEDBACK = 'The total is wrong when the cart is empty; handle that case.';

async function learnable() {
  const memory = await openMemory();
  const turn = (task: string, number: number, more: object) =>
    memory.ledger.append(PROJECT, 'turn_recorded', {
      feature_id: 'FEAT-1',
      task_id: task,
      turn_number: number,
      mode: 'continuing_work',
      completed_at: new Date(memory.now()).toISOString(),
      ...more,
    });
  return {
    memory,
    turn,
    async learn(learning: Parameters<typeof learningSettings>[0] = undefined) {
      await deliverOutbox(memory.ledger, memory.store);
      return learn({
        ledger: memory.ledger,
        store: memory.store,
        project: PROJECT,
        root: '/project',
        home: '/home/ada',
        now: memory.now(),
        settings: learningSettings(learning),
      });
    },
  };
}

it('feedback that Coaches repeat, and its fix, is shown to the next Player with the same problem [LEARN-8]', async () => {
  const { memory, turn, learn } = await learnable();
  for (const number of [1, 2, 3])
    turn('TASK-1', number, {
      coach_decision: 'feedback',
      coach_feedback: FEEDBACK,
      player_summary: 'Tried.',
    });
  turn('TASK-1', 4, {
    coach_decision: 'approved',
    player_summary: 'Returned zero for an empty cart before summing.',
    files_modified: ['src/cart.js'],
  });
  await learn();
  expect(await memory.store.list(projectGroup(PROJECT, 'failure_patterns'))).toMatchObject([
    { body: { times: 3, feedback: FEEDBACK } },
  ]);
  expect(await memory.store.list(projectGroup(PROJECT, 'successful_fixes'))).toMatchObject([
    { body: { turn_number: 4, turns_before: 3 } },
  ]);
  const { text } = await precedentsFor(memory.store, PROJECT, {
    about: 'When the cart is empty the total is wrong: handle that case',
    agent: 'player',
    feature: 'FEAT-2',
    task: 'TASK-9',
  });
  expect(text).toContain('Returned zero for an empty cart');
  expect(text).toContain(FEEDBACK.slice(0, 40));
});

it('stored failures come from GuardKit itself and only from turns in the ledger', async () => {
  const { memory, turn, learn } = await learnable();
  const judged = { coach_decision: 'feedback', coach_feedback: FEEDBACK };
  for (const number of [1, 2]) turn('TASK-1', number, judged);
  const forged = {
    feature_id: 'FEAT-1',
    task_id: 'TASK-1',
    turn_number: 3,
    mode: 'continuing_work',
    ...judged,
  };
  const group = projectGroup(PROJECT, 'turn_states');
  await memory.store.upsert({ group, entity_type: 'turn_state', body: forged, source: 'program' });
  await learn();
  expect(await memory.store.list(projectGroup(PROJECT, 'failure_patterns'))).toEqual([]);
  turn('TASK-1', 4, judged);
  await learn();
  expect(await memory.store.list(projectGroup(PROJECT, 'failure_patterns'))).toMatchObject([
    { source: 'guardkit', body: { times: 3 } },
  ]);
});

it('learning again without anything new changes nothing', async () => {
  const { memory, turn, learn } = await learnable();
  for (const number of [1, 2, 3])
    turn('TASK-1', number, { coach_decision: 'feedback', coach_feedback: FEEDBACK });
  await learn();
  const before = await memory.store.counts();
  const number = memory.ledger.head(PROJECT)?.number;
  expect(await learn()).toEqual({ patterns: [], notices: [] });
  expect(await memory.store.counts()).toEqual(before);
  expect(memory.ledger.head(PROJECT)?.number).toBe(number);
});

it('without limits set by a person, learning neither makes nor promotes a guard [LEARN-7]', async () => {
  const { memory, learn } = await learnable();
  await memory.tell(
    { session: 's1', feature: 'FEAT-1' },
    { session: 's1', feature: 'FEAT-1' },
    { session: 's2', feature: 'FEAT-2' },
  );
  expect((await learn()).patterns).toHaveLength(1);
  expect(readLearnedGuards(memory.ledger, PROJECT)).toEqual([]);
  const { notices } = await learn({ auto_promote: { to: 'warn', hits: 1 } });
  expect(notices).toHaveLength(1);
  // No recorded action shows that it would have been right.
  expect(readLearnedGuards(memory.ledger, PROJECT)).toMatchObject([{ mode: 'shadow' }]);
});
