import { expect, it } from 'vitest';
import type { LearnedGuard } from '../../../src/domain/entities/learned-guard.ts';
import { examineLedger } from '../../../src/enforcement/doctor/examine-ledger.ts';
import {
  demoteGuard,
  promoteGuard,
  retireGuard,
  shareGuard,
} from '../../../src/learning/proposals/change-learned-guard.ts';
import { createGuard } from '../../../src/learning/proposals/create-guard.ts';
import { demoteWrongGuards, promoteProvenGuards } from '../../../src/learning/proposals/review-guards.ts';
import { readLearnedGuards } from '../../../src/store/ledger/tables/learned-guards.ts';
import { differingGuards, rebuildGuards } from '../../../src/store/ledger/tables/learned-guards-chain.ts';
import { openMemory, PROJECT } from '../memory.ts';

type Memory = Awaited<ReturnType<typeof openMemory>>;

/** Agents edited generated files in three sessions, and a person fixed it each time. */
async function corrected() {
  const memory = await openMemory();
  for (const [at, file] of ['a', 'b', 'c'].entries()) {
    memory.keep({
      session: `s${at}`,
      action: `t${at}`,
      kind: 'edit',
      body: { tool: 'Write', edits: [{ file: `src/gen/${file}.ts` }], feature: `FEAT-${at}` },
    });
    await memory.tell({
      type: 'correction',
      source: 'user_correction',
      guard: null,
      agent: 'main',
      session: `s${at}`,
      feature: `FEAT-${at}`,
      attempted: `edit src/gen/${file}.ts`,
      action: `t${at}`,
      correct: 'do not edit what is generated, run codegen',
    });
  }
  const [pattern] = (await memory.extract()).patterns;
  if (!pattern) throw new Error('no pattern');
  const context = {
    ledger: memory.ledger,
    project: PROJECT,
    root: '/project',
    home: '/home/ada',
    now: memory.now(),
  };
  const create = (more: { person?: boolean; dryRun?: boolean; by?: string } = {}) =>
    createGuard({
      ...context,
      store: memory.store,
      patternId: pattern.pattern_id,
      by: 'Ada',
      person: true,
      ...more,
    });
  return { memory, pattern, context, create };
}

/** Work on a feature that was approved later. */
function approve({ ledger }: Memory, feature: string) {
  ledger.append(PROJECT, 'feature_completed', {
    feature_id: feature,
    tip: 'abc',
    commit: 'def',
    into: 'main',
    by: 'Ada',
  });
}

function must(created: Awaited<ReturnType<typeof createGuard>>): LearnedGuard {
  if (!created.ok) throw new Error(created.why);
  return created.guard;
}

it('a pattern becomes a guard that only watches, with its backtest', async () => {
  const { memory, pattern, create } = await corrected();
  const guard = must(await create());
  expect(guard).toMatchObject({
    mode: 'shadow',
    pattern_id: pattern.pattern_id,
    origin: PROJECT,
    definition: {
      kinds: ['edit'],
      paths: ['src/gen/**'],
      guidance: 'do not edit what is generated, run codegen',
    },
    backtest: { actions: 3, fired: 3, violations: 3, approved: 0, unknown: 0 },
  });
  expect(readLearnedGuards(memory.ledger, PROJECT)).toEqual([guard]);
  expect(memory.ledger.entries(PROJECT, { kind: 'guard_recorded' })).toMatchObject([
    { body: { change: 'proposed', by: 'Ada' } },
  ]);
  expect(memory.ledger.verify(PROJECT).ok).toBe(true);
});

it('wrong refusals are listed, and the candidate that refuses less is chosen', async () => {
  const { memory, create } = await corrected();
  memory.keep({
    session: 's9',
    action: 't9',
    kind: 'edit',
    body: {
      tool: 'Write',
      summary: 'Write src/gen/README.md',
      edits: [{ file: 'src/gen/README.md' }],
      feature: 'FEAT-9',
    },
  });
  approve(memory, 'FEAT-9');
  const guard = must(await create());
  expect(guard.definition.paths).toEqual(['src/gen/a.ts', 'src/gen/b.ts', 'src/gen/c.ts']);
  expect(guard.backtest).toMatchObject({ actions: 4, fired: 3, approved: 0 });
});

it('if every candidate would have been wrong, the wrong refusals are reported', async () => {
  const { memory, create } = await corrected();
  memory.keep({
    session: 's9',
    action: 't9',
    kind: 'edit',
    body: {
      tool: 'Write',
      summary: 'Write src/gen/a.ts',
      edits: [{ file: 'src/gen/a.ts' }],
      feature: 'FEAT-9',
      type: 'main',
    },
  });
  approve(memory, 'FEAT-9');
  expect(must(await create()).backtest).toMatchObject({
    approved: 1,
    false_blocks: [{ session: 's9', feature: 'FEAT-9', summary: 'Write src/gen/a.ts' }],
  });
});

it('a dry run changes nothing, and proposing twice gives the same guard', async () => {
  const { memory, create } = await corrected();
  expect(must(await create({ dryRun: true })).mode).toBe('shadow');
  expect(readLearnedGuards(memory.ledger, PROJECT)).toEqual([]);
  const first = must(await create({ person: false, by: 'claude' }));
  const again = await create();
  expect(again).toMatchObject({ ok: true, known: true, guard: first });
});

it('an agent cannot propose a guard that a person retired', async () => {
  const { context, create } = await corrected();
  const { guard_id: guardId } = must(await create());
  const change = { ...context, guardId, by: 'Ada', why: '' };
  expect(retireGuard(change)).toMatchObject({ ok: true, guard: { mode: 'off' } });
  expect(promoteGuard(change, 'enforce')).toMatchObject({ ok: false });
  expect(await create({ person: false })).toMatchObject({
    ok: false,
    why: expect.stringContaining('retired'),
  });
  expect(await create()).toMatchObject({ ok: true, known: false, guard: { mode: 'shadow' } });
});

it('patterns of judgements, by a person, or unknown ones become no guard', async () => {
  const { memory, context } = await corrected();
  await memory.tell(
    ...[1, 2, 3].map((at) => ({
      source: 'gate' as const,
      guard: 'tests',
      attempted: 'gate tests',
      session: `g${at}`,
      feature: `FEAT-${at}`,
    })),
  );
  const { patterns } = await memory.extract();
  const advice = patterns.find(({ weight }) => weight === 'advice');
  for (const patternId of [advice?.pattern_id ?? '', 'PATTERN-unknown', '../guards'])
    expect(
      await createGuard({ ...context, store: memory.store, patternId, by: 'Ada', person: true }),
    ).toMatchObject({ ok: false });
});

it('modes only go up by promotion, and each change is recorded', async () => {
  const { memory, context, create } = await corrected();
  const { guard_id: guardId } = must(await create());
  const change = { ...context, guardId, by: 'Ada', why: 'it is right' };
  expect(promoteGuard(change, 'warn')).toMatchObject({ ok: true, guard: { mode: 'warn' } });
  expect(promoteGuard(change, 'warn')).toMatchObject({ ok: false });
  expect(promoteGuard(change, 'enforce')).toMatchObject({ ok: true, guard: { mode: 'enforce' } });
  expect(demoteGuard(change)).toMatchObject({ ok: true, guard: { mode: 'shadow' } });
  expect(demoteGuard(change)).toMatchObject({ ok: false });
  expect(promoteGuard({ ...change, guardId: 'learned-nothing' }, 'warn')).toMatchObject({ ok: false });
  const recorded = memory.ledger.entries(PROJECT, { kind: 'guard_recorded' });
  expect(recorded.map(({ body }) => body.change)).toEqual(['proposed', 'promoted', 'promoted', 'demoted']);
});

it('a shared guard only watches in other projects until it is promoted there', async () => {
  const { memory, context, create } = await corrected();
  const { guard_id: guardId } = must(await create());
  promoteGuard({ ...context, guardId, by: 'Ada', why: '' }, 'enforce');
  expect(shareGuard({ ...context, guardId, by: 'Ada', why: '' })).toMatchObject({ ok: true });
  expect(readLearnedGuards(memory.ledger, PROJECT)).toMatchObject([{ mode: 'enforce' }]);
  expect(readLearnedGuards(memory.ledger, 'other-2')).toMatchObject([{ mode: 'shadow', origin: PROJECT }]);
  expect(promoteGuard({ ...context, project: 'other-2', guardId, by: 'Ada', why: '' }, 'warn')).toMatchObject(
    {
      ok: true,
    },
  );
  expect(readLearnedGuards(memory.ledger, 'other-2')).toMatchObject([{ mode: 'warn' }]);
  expect(readLearnedGuards(memory.ledger, 'third-3')).toMatchObject([{ mode: 'shadow' }]);
});

const LIMITS = { to: 'enforce' as const, hits: 3 };

it('nothing is promoted automatically without limits set by a person', async () => {
  const { memory, context, pattern } = await corrected();
  const review = { ...context, store: memory.store, patterns: [pattern] };
  const off = { autoPromote: undefined, demoteAfter: 2 };
  expect(await promoteProvenGuards({ ...review, settings: off })).toEqual([]);
  expect(readLearnedGuards(memory.ledger, PROJECT)).toEqual([]);
  const told = await promoteProvenGuards({ ...review, settings: { ...off, autoPromote: LIMITS } });
  expect(told).toHaveLength(2);
  expect(readLearnedGuards(memory.ledger, PROJECT)).toMatchObject([{ mode: 'enforce' }]);
});

it.each([
  ['too few hits', { ...LIMITS, hits: 4 }, false],
  ['a false block', LIMITS, true],
])('within those limits, %s keeps it in the shadow', async (_name, autoPromote, falseBlock) => {
  const { memory, context, pattern } = await corrected();
  if (falseBlock) {
    for (const file of ['a', 'b', 'c'])
      memory.keep({
        session: 's9',
        action: file,
        kind: 'edit',
        body: { tool: 'Write', edits: [{ file: `src/gen/${file}.ts` }], feature: 'FEAT-9' },
      });
    approve(memory, 'FEAT-9');
  }
  const settings = { autoPromote, demoteAfter: 2 };
  await promoteProvenGuards({ ...context, store: memory.store, patterns: [pattern], settings });
  expect(readLearnedGuards(memory.ledger, PROJECT)).toMatchObject([{ mode: 'shadow' }]);
});

it('a guard whose refusals people waive only watches again, with a notice, and is not promoted automatically any more', async () => {
  const { memory, context, create, pattern } = await corrected();
  const { guard_id: guardId } = must(await create());
  promoteGuard({ ...context, guardId, by: 'Ada', why: '' }, 'enforce');
  const settings = { autoPromote: LIMITS, demoteAfter: 2 };
  const use = () =>
    memory.ledger.append(PROJECT, 'waiver_used', {
      waiver_id: 'w-1',
      guard: guardId,
      session: 's5',
      agent: 'claude',
      agent_type: null,
      action: 'Write src/gen/x.ts',
    });
  use();
  expect(demoteWrongGuards({ ...context, settings })).toEqual([]);
  use();
  expect(demoteWrongGuards({ ...context, settings })).toMatchObject([expect.stringContaining(guardId)]);
  expect(readLearnedGuards(memory.ledger, PROJECT)).toMatchObject([{ mode: 'shadow' }]);
  expect(demoteWrongGuards({ ...context, settings })).toEqual([]);
  await promoteProvenGuards({ ...context, store: memory.store, patterns: [pattern], settings });
  expect(readLearnedGuards(memory.ledger, PROJECT)).toMatchObject([{ mode: 'shadow' }]);
});

it('a guard that warns about work which is then approved only watches again', async () => {
  const { memory, context, create } = await corrected();
  const { guard_id: guard } = must(await create());
  promoteGuard({ ...context, guardId: guard, by: 'Ada', why: '' }, 'warn');
  for (const action of ['x', 'y'])
    memory.keep({
      session: 's8',
      action,
      kind: 'edit',
      decision: 'warn',
      at: memory.now() + 1000,
      body: { tool: 'Write', feature: 'FEAT-8', findings: [{ guard, decision: 'warn', silent: null }] },
    });
  const settings = { autoPromote: undefined, demoteAfter: 2 };
  expect(demoteWrongGuards({ ...context, settings })).toEqual([]);
  memory.wait(5000);
  approve(memory, 'FEAT-8');
  expect(demoteWrongGuards({ ...context, settings })).toHaveLength(1);
});

it('a table that differs from the chain is detected and rebuilt', async () => {
  const { memory, context, create } = await corrected();
  const { guard_id: guardId } = must(await create());
  promoteGuard({ ...context, guardId, by: 'Ada', why: '' }, 'enforce');
  expect(differingGuards(memory.ledger, PROJECT)).toEqual([]);
  memory.ledger.file.database
    .prepare("UPDATE learned_guards SET body = json_set(body, '$.mode', 'off')")
    .run();
  expect(differingGuards(memory.ledger, PROJECT)).toEqual([guardId]);
  expect(examineLedger(memory.ledger, PROJECT, '/project')).toContainEqual(
    expect.objectContaining({ id: 'learned guards', outcome: 'fail' }),
  );
  expect(rebuildGuards(memory.ledger, PROJECT)).toEqual([guardId]);
  expect(readLearnedGuards(memory.ledger, PROJECT)).toMatchObject([{ mode: 'enforce' }]);
});

it('two concurrent proposals of the same guard give one guard', async () => {
  const { memory, create } = await corrected();
  const made = await Promise.all([create(), create({ person: false, by: 'claude' }), create()]);
  expect(made.every(({ ok }) => ok)).toBe(true);
  expect(memory.ledger.entries(PROJECT, { kind: 'guard_recorded' })).toHaveLength(1);
});

it('harmless parts of a command are not forbidden, such as the tests run with it', async () => {
  const memory = await openMemory();
  for (const at of [0, 1, 2]) {
    const command = `npm test && deploy-tool --now stage${at}`;
    memory.keep({ session: `s${at}`, action: `t${at}`, decision: 'deny', body: { command, cwd: '.' } });
    await memory.tell({
      session: `s${at}`,
      feature: `FEAT-${at}`,
      guard: 'own-guard',
      attempted: 'command npm, deploy-tool',
      action: `t${at}`,
    });
    for (const more of [1, 2, 3])
      memory.keep({ session: `s${at}`, action: `n${at}${more}`, body: { command: 'npm test', cwd: '.' } });
  }
  const [pattern] = (await memory.extract()).patterns;
  const created = await createGuard({
    ledger: memory.ledger,
    store: memory.store,
    project: PROJECT,
    root: '/project',
    home: '/home/ada',
    now: memory.now(),
    patternId: pattern?.pattern_id ?? '',
    by: 'Ada',
    person: true,
  });
  expect(must(created)).toMatchObject({
    definition: { commands: [{ program: 'deploy-tool' }] },
    backtest: { fired: 3, violations: 3, unknown: 0 },
  });
});
