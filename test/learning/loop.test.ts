import { expect, it } from 'vitest';
import type { LearnedGuard } from '../../src/domain/entities/learned-guard.ts';
import type { Pattern } from '../../src/domain/entities/pattern.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { errorCode } from '../support/error-code.ts';
import { LIST_PATH } from '../support/hooked-project.ts';
import { further } from '../support/thorough.ts';
import { LearningProject } from './learning-project.ts';

async function proposed(project: LearningProject): Promise<{ pattern: Pattern; guard: LearnedGuard }> {
  await project.claimTested('s1', 'FEAT-1');
  await project.claimTested('s1', 'FEAT-1');
  await project.claimTested('s2', 'FEAT-2');
  const { patterns } = await project.json<{ patterns: Pattern[] }>(['guard', 'propose']);
  const [pattern] = patterns;
  if (!pattern) throw new Error('no pattern');
  const { guard } = await project.json<{ guard: LearnedGuard }>(['guard', 'propose', pattern.pattern_id]);
  return { pattern, guard };
}

it('a repeated violation becomes a guard that stops the next agent', async () => {
  const project = new LearningProject();
  const { pattern, guard } = await proposed(project);
  expect(pattern).toMatchObject({
    guard: 'block-tested-true',
    count: 3,
    features: ['FEAT-1', 'FEAT-2'],
    sessions: 2,
  });
  expect(guard).toMatchObject({
    mode: 'shadow',
    definition: { fields: [{ field: 'tested', to: true }] },
    backtest: { actions: 3, fired: 3, violations: 3, approved: 0 },
  });
  // It only watches until a person promotes it.
  const watched = await project.claimTested('s3', 'FEAT-1');
  expect(JSON.stringify(watched.before.json)).not.toContain(guard.guard_id);
  const promoted = await project.person(['guard', 'promote', guard.guard_id]);
  expect(promoted.exitCode, promoted.stderr).toBe(0);
  const stopped = await project.claimTested('s4', 'FEAT-1');
  expect(stopped.refused).toBe(true);
  expect(JSON.stringify(stopped.before.json)).toContain(`[${guard.guard_id}]`);
  expect(JSON.stringify(stopped.before.json)).toContain(pattern.pattern_id);
  const shown = await project.json(['guard', 'show', guard.guard_id]);
  expect(shown).toMatchObject({ origin: 'learned', mode: 'enforce', record: { fired: 1, refused: 1 } });
  const { patterns } = await project.json<{ patterns: Pattern[] }>(['guard', 'propose']);
  expect(patterns).toMatchObject([{ pattern_id: pattern.pattern_id, count: 5 }]);
});

it('an agent may propose a guard, but not promote, retire or share it [LEARN-7]', async () => {
  const project = new LearningProject();
  const { guard } = await proposed(project);
  for (const command of ['promote', 'retire', 'share']) {
    const said = await project.agent(['guard', command, guard.guard_id, '--json']);
    expect(said.exitCode).toBe(1);
    expect(errorCode(said)).toBe('person.needed');
    project.session = 's9';
    const { refused } = await project.bash(`guardkit guard ${command} ${guard.guard_id}`);
    expect(refused).toBe(true);
  }
  const { guards } = await project.json<{ guards: { id: string; mode: string }[] }>(['guard', 'list']);
  expect(guards.find(({ id }) => id === guard.guard_id)).toMatchObject({ mode: 'shadow' });
});

it('an agent cannot write patterns, guards, traces or other precedents into memory', async () => {
  const project = new LearningProject();
  for (const group of ['patterns', 'guards', 'traces', 'failure_patterns', 'successful_fixes']) {
    const said = await project.agent([
      'graphiti',
      'add',
      group,
      '--id',
      'x',
      '--type',
      'pattern',
      '--body',
      '-',
    ]);
    expect(said.exitCode).toBe(1);
    expect(said.stderr).toContain('person');
  }
});

further('a person who answers no changes nothing, and a dry run asks nobody', async () => {
  const project = new LearningProject();
  const { guard } = await proposed(project);
  expect((await project.person(['guard', 'promote', guard.guard_id], 'n\n')).exitCode).toBe(1);
  for (const command of ['promote', 'retire', 'share'])
    expect((await project.agent(['guard', command, guard.guard_id, '--dry-run'])).stdout).toContain('would');
  expect(await project.json(['guard', 'show', guard.guard_id])).toMatchObject({ mode: 'shadow' });
});

further('a retired guard stops acting and shows as retired', async () => {
  const project = new LearningProject();
  const { guard } = await proposed(project);
  await project.person(['guard', 'promote', guard.guard_id, '--to', 'warn']);
  await project.person(['guard', 'retire', guard.guard_id, '--reason', 'too loud']);
  await project.claimTested('s5', 'FEAT-1');
  const ledger = openLedger({ path: `${project.dataFolder}/ledger.db` });
  try {
    const last = ledger.entries('shop-1', { kind: 'action_judged' }).at(-1)?.body.findings;
    expect(JSON.stringify(last)).not.toContain(guard.guard_id);
    expect(ledger.verify('shop-1').ok).toBe(true);
  } finally {
    ledger.close();
  }
  const again = await project.person(['guard', 'retire', guard.guard_id, '--json']);
  expect(errorCode(again)).toBe('guard.unchanged');
});

further('share accepts only the id of a guard or a pattern', async () => {
  const project = new LearningProject();
  const { pattern, guard } = await proposed(project);
  const told = { origin: 'shop-1', pattern: pattern.pattern_id, shared: true };
  expect(await project.json(['guard', 'share', pattern.pattern_id])).toEqual({
    id: pattern.pattern_id,
    ...told,
  });
  expect(await project.json(['guard', 'share', guard.guard_id])).toEqual({ id: guard.guard_id, ...told });
  const shared = await project.json<{ episodes: { entity_id: string }[] }>(['graphiti', 'list', 'patterns']);
  expect(shared.episodes.map(({ entity_id }) => entity_id)).toContain(pattern.pattern_id);
  const unknown = await project.person(['guard', 'share', 'block-tested-true', '--json']);
  expect(errorCode(unknown)).toBe('pattern.unknown');
  expect(unknown.exitCode).toBe(2);
  await project.person(['guard', 'retire', guard.guard_id, '--reason', 'too loud']);
  const retired = await project.person(['guard', 'share', guard.guard_id, '--json']);
  expect(errorCode(retired)).toBe('guard.unchanged');
});

further('a project’s configuration overrides a learned guard', async () => {
  const project = new LearningProject();
  const { guard } = await proposed(project);
  await project.person(['guard', 'promote', guard.guard_id]);
  project.write('.guardkit/config.yaml', `project: shop-1\nguards:\n  ${guard.guard_id}: off\n`);
  project.git('commit', '-qam', 'Turn it off');
  // The agent is alive and not sandboxed, so it could have written this.
  expect((await project.person(['accept', '--yes'])).exitCode).toBe(0);
  const stopped = await project.claimTested('s4', 'FEAT-1');
  expect(JSON.stringify(stopped.before.json)).not.toContain(guard.guard_id);
  expect((await project.person(['config', 'check'])).exitCode).toBe(0);
});

it('metrics show it', async () => {
  const project = new LearningProject();
  await proposed(project);
  await project.hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Go on with the next feature' });
  const metrics = await project.json(['metrics', '--since', '7d']);
  expect(metrics).toMatchObject({
    premature_completions: { attempted: { total: 3 }, blocked: { total: 3 } },
    user_prompts: { features: { total: 0 }, per_feature: { total: null } },
    repeated_mistakes: { mistakes: { total: 3 }, repeated: { total: 2 }, share: { total: 0.667 } },
    compliance: { actions: { total: 3 }, refused: { total: 3 }, share: { total: 0 } },
  });
  const { stdout } = await project.person(['metrics']);
  expect(stdout).toMatch(/[▁▂▃▄▅▆▇█]/);
});

further('a change that could only be restored is refused beforehand once it was learned', async () => {
  const project = new LearningProject();
  const sessions = { s1: 'FEAT-1', s2: 'FEAT-2', s3: 'FEAT-2' };
  for (const [session, feature] of Object.entries(sessions)) {
    // The same command, whatever the script does this time.
    project.write(
      'flip.sh',
      `sed -i '/"id": "${feature}"/,/tested/ s/"tested": false/"tested": true/' ${LIST_PATH}\n`,
    );
    project.session = session;
    await project.begin();
    const { refused, after } = await project.bash('echo go; sh ./flip.sh');
    expect(refused).toBe(false);
    expect(JSON.stringify(after?.json)).toContain(LIST_PATH);
    expect(project.list().features.every(({ tested }) => !tested)).toBe(true);
    await project.hook({ hook_event_name: 'SessionEnd', reason: 'other' });
  }
  const { patterns } = await project.json<{ patterns: Pattern[] }>(['guard', 'propose']);
  const pattern = patterns.find(({ suggests }) =>
    suggests.some(({ what }) => what === 'stronger_enforcement'),
  );
  const { guard } = await project.json<{ guard: LearnedGuard }>([
    'guard',
    'propose',
    pattern?.pattern_id ?? '',
  ]);
  expect(guard).toMatchObject({
    definition: { kinds: ['command'], commands: [{ program: 'sh', subcommand: './flip.sh' }] },
    backtest: { fired: 3, violations: 3, approved: 0 },
  });
  await project.person(['guard', 'promote', guard.guard_id]);
  project.session = 's4';
  await project.begin();
  expect((await project.bash('true && sh ./flip.sh')).refused).toBe(true);
  expect((await project.bash('sh ./other.sh')).refused).toBe(false);
});

it('a guard that people waive is demoted at the next session, even if another command delivered the waivers', async () => {
  const project = new LearningProject();
  const { guard } = await proposed(project);
  await project.person(['guard', 'promote', guard.guard_id]);
  const ledger = openLedger({ path: `${project.dataFolder}/ledger.db` });
  try {
    const used = { guard: guard.guard_id, session: 's5', agent: 'claude', agent_type: null, action: 'edit' };
    for (const waiver_id of ['w-1', 'w-2']) ledger.append('shop-1', 'waiver_used', { ...used, waiver_id });
    await project.person(['trace', 'list']);
    expect(ledger.outbox.isPending('shop-1')).toBe(false);
  } finally {
    ledger.close();
  }
  project.session = 's6';
  await project.begin();
  expect(await project.json(['guard', 'show', guard.guard_id])).toMatchObject({ mode: 'shadow' });
});
