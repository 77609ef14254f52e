import { basename } from 'node:path';
import { expect } from 'vitest';
import type { FileState, PersonBesideAgent } from '../../support/person-beside-agent.ts';
import { bash, DONE, type HookAnswers } from '../../support/scripted-claude.ts';

/** A session starts a real program twice and many hooks, on a machine that may be busy. */
export const SESSION_MS = 120_000;

/** Whether the person's version was untouched, or needed one restore. */
export type Kept = 'untouched' | 'restored by one command';

/**
 * The person's version of an effective file stays. Without a sandbox GuardKit may restore the earlier one instead; then agent
 * and person are notified, and one command restores the person's content and mode.
 */
export async function expectKept(
  world: PersonBesideAgent,
  agent: { answers(): HookAnswers },
  path: string,
  saved: FileState,
  { exception = world.tier === 'none' }: { exception?: boolean } = {},
): Promise<Kept> {
  const found = world.state(path);
  if (!exception || JSON.stringify(found) === JSON.stringify(saved)) {
    expect(found).toEqual(saved);
    return 'untouched';
  }
  const { agent: toldAgent, person: toldPerson } = agent.answers();
  expect(toldAgent).toContain(basename(path));
  expect(toldPerson).toContain(basename(path));
  expect(world.entries('file_restored')).toContainEqual(
    expect.objectContaining({ absolute: world.path(path) }),
  );
  expect(await world.person.run(`guardkit restore --yes '${world.path(path)}'`)).toBe(0);
  expect(world.state(path)).toEqual(saved);
  return 'restored by one command';
}

/** Accepts everything pending, from a terminal outside the agent. */
export async function acceptAll(world: PersonBesideAgent): Promise<void> {
  await world.person.do('guardkit accept --yes');
}

/** Definitions that need the person's acceptance. */
export async function pendingPaths(world: PersonBesideAgent, terminal = world.person): Promise<string[]> {
  const status = await world.json<{ pending: { path: string; needs: string }[] }>(
    'guardkit status',
    terminal,
  );
  return status.pending.filter(({ needs }) => needs === 'acceptance').map(({ path }) => path);
}

/** Without a sandbox a definition that appeared while an agent ran needs the person's acceptance. */
export async function acceptWithoutSandbox(world: PersonBesideAgent): Promise<void> {
  if (world.tier === 'none') await acceptAll(world);
}

/** The hook answers in a session with one harmless command. */
export async function harmlessSession(world: PersonBesideAgent): Promise<HookAnswers> {
  const agent = await world.agent([bash('true'), DONE]);
  await agent.ended;
  return agent.answers();
}

/** Nothing the person did is a violation, and a later session gets the same answers as one before. */
export async function expectNoBlame(world: PersonBesideAgent, before: HookAnswers): Promise<void> {
  expect(world.entries('violation_recorded')).toEqual([]);
  await acceptWithoutSandbox(world);
  await world.person.run('guardkit status');
  expect(await harmlessSession(world)).toEqual(before);
}

/** Guards that refused actions so far. */
export function objections(world: PersonBesideAgent): string[] {
  return world
    .entries('action_judged')
    .flatMap(({ findings }) => (findings as { guard: string }[]).map(({ guard }) => guard));
}
