import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import * as z from 'zod';
import type * as Guardkit from '../../src/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// The built file, as a dependent program loads it.
const built = new URL('../../dist/index.js', import.meta.url).href;
const { defineEntity, GuardKitError, openStore, projectGroup, turnState } = (await import(
  built
)) as typeof Guardkit;

function freshPath(): string {
  return join(temporaryFolder(), 'memory.db');
}

it('the example in the library page works', async () => {
  const store = await openStore({ path: freshPath() });
  const group = projectGroup('shop-64fb', 'turn_states');
  const { action } = await store.upsert({
    group,
    entity_type: turnState.type,
    body: { feature_id: 'FEAT-AUTH', task_id: 'TASK-AUTH-001', turn_number: 1, mode: 'fresh_start' },
  });
  expect(action).toBe('created');
  const last = await store.latest(group, { where: [{ field: 'task_id', op: 'eq', value: 'TASK-AUTH-001' }] });
  expect(last?.body.turn_number).toBe(1);
  expect(await store.search('TASK-AUTH-001', { groups: [group], limit: 5 })).toHaveLength(1);
  await store.close();
});

it('a program can declare its own entity type, and another program reads its entities', async () => {
  const incident = defineEntity<{ code: string; what: string }>({
    type: 'incident',
    groups: ['incidents'],
    schema: z.strictObject({ code: z.string(), what: z.string() }),
    id: (body) => `INC-${body.code}`,
    name: (body) => `Incident ${body.code}`,
    text: (body) => `incident ${body.code}: ${body.what}`,
    indexed: ['code'],
    freeText: ['what'],
  });
  const path = freshPath();
  const store = await openStore({ path, entityTypes: [incident] });
  await store.upsert({
    group: 'incidents',
    entity_type: 'incident',
    body: { code: '7', what: 'the pump stood still' },
  });
  await expect(
    store.upsert({ group: 'incidents', entity_type: 'incident', body: { code: 7 } }),
  ).rejects.toBeInstanceOf(GuardKitError);
  await store.close();
  const other = await openStore({ path });
  expect(await other.search('pump')).toMatchObject([{ entity_id: 'INC-7', score: expect.any(Number) }]);
  await other.close();
});

it('a program that started before an upgrade gets an error that asks for a restart', async () => {
  const folder = temporaryFolder();
  for (const name of ['index.js', 'library'])
    cpSync(fileURLToPath(new URL(name, built)), join(folder, name), { recursive: true });
  symlinkSync(fileURLToPath(new URL('../node_modules', built)), join(folder, 'node_modules'));
  const before = (await import(pathToFileURL(join(folder, 'index.js')).href)) as typeof Guardkit;
  rmSync(join(folder, 'library'), { recursive: true });
  const missing = { name: 'GuardKitError', code: 'program.replaced', kind: 'outside' };
  await expect(before.openStore({ path: freshPath() })).rejects.toMatchObject(missing);
  await expect(before.openStore({ url: 'postgres://localhost' })).rejects.toMatchObject(missing);
});
