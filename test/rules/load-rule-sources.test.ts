import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openSqlite } from '../../src/platform/open-sqlite.ts';
import { loadRuleSources } from '../../src/rules/load-rule-sources.ts';
import { resolveQualityGates } from '../../src/rules/resolve-quality-gates.ts';
import { resolveRoleConstraints } from '../../src/rules/resolve-role-constraints.ts';
import { seedGroups, systemSeedGroups } from '../../src/rules/seed-groups.ts';
import { suggestImplementationMode } from '../../src/rules/suggest-implementation-mode.ts';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { projectWith } from './rule-sources-fixture.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function freshPath(): string {
  return join(temporaryFolder(), 'home', 'guardkit.db');
}

async function seededPath(): Promise<string> {
  const path = freshPath();
  const store = await openStore({ path });
  await seedGroups(store, systemSeedGroups());
  await store.close();
  return path;
}

/** The resolved values without their origins. */
async function answers(settings: { path: string; url?: string }) {
  const sources = await loadRuleSources(undefined, settings);
  const { values } = resolveQualityGates(sources, 'feature', 5);
  return {
    memory: sources.memory,
    gates: Object.values(values).map(({ value }) => value),
    coach: resolveRoleConstraints(sources, 'coach').lists.must_do.map(({ value }) => value),
    mode: suggestImplementationMode(sources, 'feature', 5)?.mode,
  };
}

async function silentServer(): Promise<string> {
  const server: Server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const address = server.address();
  return `postgres://ada:hunter2-secret@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/memory`;
}

it('a seeded store answers from the system groups', async () => {
  const found = await answers({ path: await seededPath() });
  expect(found.memory).toEqual({ available: true });
  expect(found.mode).toBe('task_work');
});

it('a missing store is not created, and everything but the advice is the same [RULE-7]', async () => {
  const path = freshPath();
  const { memory, mode, ...rest } = await answers({ path });
  expect(existsSync(path)).toBe(false);
  expect(memory).toEqual({ available: false, why: expect.any(String) });
  expect(mode).toBeUndefined();
  const seeded = await answers({ path: await seededPath() });
  expect(rest).toEqual({ gates: seeded.gates, coach: seeded.coach });
});

it('a store that was never seeded answers with built-in values and without advice', async () => {
  const path = freshPath();
  await (await openStore({ path })).close();
  const found = await answers({ path });
  expect(found.memory).toEqual({ available: true });
  expect(found.mode).toBeUndefined();
  expect(found.coach).toHaveLength(4);
});

it('a damaged store is reported and left unchanged, and the built-in values apply [RULE-7]', async () => {
  const path = freshPath();
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'this is no database, whatever its name says. '.repeat(20));
  const found = await answers({ path });
  expect(found.memory).toEqual({ available: false, why: expect.stringContaining('damaged') });
  expect(found.gates[3]).toBe(0.8);
  expect(readdirSync(join(path, '..'))).toEqual(['guardkit.db']);
});

it('a locked store is reported, and the built-in values apply [RULE-7]', async () => {
  const path = await seededPath();
  const holder = openSqlite(path);
  holder.pragma('locking_mode = EXCLUSIVE');
  holder.exec('BEGIN EXCLUSIVE; DELETE FROM vector;');
  closers.push(() => holder.close());
  const found = await answers({ path });
  expect(found.memory).toEqual({ available: false, why: expect.stringContaining('locked') });
  expect(found.gates[3]).toBe(0.8);
});

it('an unreachable server is reported without its password, and the built-in values apply [RULE-7]', async () => {
  const found = await answers({ path: freshPath(), url: 'postgres://ada:hunter2-secret@127.0.0.1:1/memory' });
  expect(found.memory.available).toBe(false);
  expect(JSON.stringify(found.memory)).not.toContain('hunter2');
  expect(found.gates[3]).toBe(0.8);
});

it('a server that never answers times out, and the built-in values apply [RULE-7]', async () => {
  const found = await answers({ path: freshPath(), url: await silentServer() });
  expect(found.memory.available).toBe(false);
  expect(found.gates[3]).toBe(0.8);
});

it('two worktrees with different files resolve differently at the same time and do not change the store [RULE-3]', async () => {
  const path = await seededPath();
  const gates = (threshold: number) =>
    `quality_gate_configs: [{task_type: feature, complexity_range: [4, 6], coverage_threshold: ${threshold}}]\n`;
  const exported = async () => {
    const store = await openStore({ path });
    const records = [];
    for await (const record of store.export()) records.push(record);
    await store.close();
    return records;
  };
  const before = await exported();
  const coverage = await Promise.all(
    [0.81, 0.99].map(async (threshold) => {
      const sources = await loadRuleSources(projectWith({ gates: gates(threshold) }), { path });
      return resolveQualityGates(sources, 'feature', 5).values.coverage_threshold.value;
    }),
  );
  expect(coverage).toEqual([0.81, 0.99]);
  expect(await exported()).toEqual(before);
});
