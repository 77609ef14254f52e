import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/platform/open-sqlite.ts';
import { askStore } from '../../src/rules/ask-store.ts';
import { findStaleRules } from '../../src/rules/find-stale-rules.ts';
import type { RuleSources } from '../../src/rules/load-rule-sources.ts';
import { loadRuleSources } from '../../src/rules/load-rule-sources.ts';
import { knownTaskTypes, resolveQualityGates } from '../../src/rules/resolve-quality-gates.ts';
import { resolveRoleConstraints } from '../../src/rules/resolve-role-constraints.ts';
import { seedGroups, systemSeedGroups } from '../../src/rules/seed-groups.ts';
import { suggestImplementationMode } from '../../src/rules/suggest-implementation-mode.ts';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { further } from '../support/thorough.ts';
import { SEEDED } from './rule-sources-fixture.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function freshPath(): string {
  const path = join(temporaryFolder(), 'home', 'guardkit.db');
  mkdirSync(dirname(path));
  return path;
}

async function seededPath(): Promise<string> {
  const path = freshPath();
  const store = await openStore({ path });
  await seedGroups(store, systemSeedGroups());
  await store.close();
  return path;
}

function inDatabase(path: string, sql: string): void {
  const database = openSqlite(path);
  database.exec(sql);
  database.close();
}

async function silentServer(): Promise<string> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const address = server.address();
  return `postgres://ada@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/memory`;
}

/** Every value that resolves, without its origin, and without advice. */
function allValues(sources: RuleSources): unknown {
  return {
    gates: knownTaskTypes(sources).flatMap((type) =>
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((complexity) =>
        Object.values(resolveQualityGates(sources, type, complexity).values).map(({ value }) => value),
      ),
    ),
    roles: (['player', 'coach'] as const).map((role) =>
      Object.values(resolveRoleConstraints(sources, role).lists).map((list) =>
        list.map(({ value }) => value),
      ),
    ),
  };
}

/** The clock also runs while other tests have the processor. */
const BUSY_MACHINE = { retry: 2 };

const AWAY: [string, () => Promise<{ path: string; url?: string }>][] = [
  ['missing', async () => ({ path: freshPath() })],
  [
    'missing with its folder, and a folder above that is a file',
    async () => {
      const path = freshPath();
      writeFileSync(join(dirname(path), 'plain'), '');
      return { path: join(dirname(path), 'plain', 'guardkit.db') };
    },
  ],
  [
    'an empty file',
    async () => {
      const path = freshPath();
      writeFileSync(path, '');
      return { path };
    },
  ],
  [
    'a folder',
    async () => {
      const path = freshPath();
      mkdirSync(path);
      return { path };
    },
  ],
  [
    'a link to itself',
    async () => {
      const path = freshPath();
      symlinkSync('guardkit.db', path);
      return { path };
    },
  ],
  [
    'damaged behind its first page',
    async () => {
      const path = await seededPath();
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0xaa, 4096));
      return { path };
    },
  ],
  [
    'cut in the middle',
    async () => {
      const path = await seededPath();
      writeFileSync(path, readFileSync(path).subarray(0, 6000));
      return { path };
    },
  ],
  [
    'of another program',
    async () => {
      const path = freshPath();
      inDatabase(path, 'CREATE TABLE other (x)');
      return { path };
    },
  ],
  [
    'held with a row that does not fit its type',
    async () => {
      const path = await seededPath();
      inDatabase(
        path,
        `UPDATE episode SET body = '{"task_type":"feature"}' WHERE entity_id = 'QG-feature-4-6'`,
      );
      return { path };
    },
  ],
  [
    'locked by another program',
    async () => {
      const path = await seededPath();
      const holder = openSqlite(path);
      holder.pragma('locking_mode = EXCLUSIVE');
      holder.exec('BEGIN EXCLUSIVE; DELETE FROM vector;');
      closers.push(() => holder.close());
      return { path };
    },
  ],
  ['a server that refuses', async () => ({ path: freshPath(), url: 'postgres://127.0.0.1:1/memory' })],
  ['a server that never answers', async () => ({ path: freshPath(), url: await silentServer() })],
  ['an address that is none', async () => ({ path: freshPath(), url: 'postgres://[nonsense' })],
  ['an address without a host', async () => ({ path: freshPath(), url: 'mysql://x' })],
];

describe('a store that is', () => {
  it.each(AWAY)(
    '%s: the same answers within 2 s, one line why, and no advice [RULE-7]',
    BUSY_MACHINE,
    async (_state, make) => {
      const settings = await make();
      const before = performance.now();
      const sources = await loadRuleSources(undefined, settings);
      expect(performance.now() - before).toBeLessThan(2000);
      expect(sources.memory).toEqual({ available: false, why: expect.stringMatching(/^[^\n]+[^\n:]$/) });
      expect(allValues(sources)).toEqual(allValues(SEEDED));
      expect(suggestImplementationMode(sources, 'feature', 5)).toBeUndefined();
    },
  );

  it('an empty file stays empty: resolving creates no store [RULE-3]', async () => {
    const path = freshPath();
    writeFileSync(path, '');
    await loadRuleSources(undefined, { path });
    expect(statSync(path).size).toBe(0);
  });
});

describe('asking a store', () => {
  it('gives its answer when it has one', async () => {
    const answer = await askStore({ path: await seededPath() }, (store) =>
      store.list('implementation_modes'),
    );
    expect(answer).toMatchObject({ ok: true, value: { length: 3 } });
  });

  further('gives up on a store that stops answering midway', BUSY_MACHINE, async () => {
    const before = performance.now();
    const answer = await askStore({ path: await seededPath() }, () => new Promise(() => {}));
    expect(answer).toEqual({ ok: false, why: expect.any(String) });
    expect(performance.now() - before).toBeLessThan(2000);
  });

  it('for stale copies reports an unavailable store instead of failing', async () => {
    const path = await seededPath();
    const workspace = { home: dirname(path), root: undefined, project: { known: true as const, id: 'shop' } };
    expect(await findStaleRules({ ...workspace, store: { path } })).toEqual([]);
    inDatabase(path, 'DROP TABLE episode_field; DROP TABLE episode;');
    expect(await findStaleRules({ ...workspace, store: { path } })).toEqual([expect.stringMatching(/\S/)]);
  });
});
