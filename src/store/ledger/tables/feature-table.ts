import { type Feature, feature, featureSchema } from '../../../domain/entities/feature.ts';
import { canonicalJson } from '../../../domain/json/json.ts';
import { scrubBody } from '../../scrub-body.ts';
import { perDatabase } from '../../sqlite/statements.ts';
import { inTransaction } from '../in-transaction.ts';
import { type FeaturesRecorded, featuresRecordedSchema } from '../kinds/work/features-recorded.ts';
import type { Ledger, NewEntry } from '../ledger.ts';
import { isTableSealed, sealTable, tablesState } from '../signing/seals.ts';

const KIND = 'features_recorded';

/** An entry has at most 1 MB; larger changes are split. */
const ENTRY_CHARACTERS = 400_000;

export interface FeatureChange extends Pick<FeaturesRecorded, 'by' | 'actor'> {
  features: readonly Feature[];
  removed?: readonly string[];
}

/** The current features of a project, in order. Not to be changed: they are the same objects until the table changes. */
export function readFeatures(ledger: Ledger, project: string): readonly Feature[] {
  const { file } = ledger;
  const last = lastRead(file.database);
  const state = file.attempt(() => tablesState(file));
  if (last.project === project && last.state === state) return last.features;
  const bodies = readFeatureBodies(ledger, project).map(({ body }) => body);
  // Parsed together, which takes half the time. Only this module writes them, after the schema has validated them.
  const features = JSON.parse(`[${bodies.join(',')}]`) as Feature[];
  Object.assign(last, { project, state, features });
  return features;
}

interface LastRead {
  project: string | undefined;
  state: string;
  features: readonly Feature[];
}

/** One project's are enough: an event reads them several times. */
const lastRead = perDatabase((): LastRead => ({ project: undefined, state: '', features: [] }));

export function readFeature(ledger: Ledger, project: string, id: string): Feature | undefined {
  return ledger.file.attempt(() => {
    if (!isSealed(ledger, project)) return walk(ledger, project).get(id)?.feature;
    const body = statements(ledger).one.get(project, id);
    return body === undefined ? undefined : parseFeature(String(body));
  });
}

/** In order. */
export function featureIds(ledger: Ledger, project: string): string[] {
  return readFeatureBodies(ledger, project).map(({ id }) => id);
}

/** How many features have each status. */
export function countStatuses(ledger: Ledger, project: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { status } of readFeatures(ledger, project)) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

/** The stored bodies, in order. If something other than GuardKit wrote into the table, the chain decides. */
export function readFeatureBodies(ledger: Ledger, project: string): { id: string; body: string }[] {
  return ledger.file.attempt(() => {
    if (isSealed(ledger, project))
      return statements(ledger).bodies.all(project) as { id: string; body: string }[];
    const rows = [...walk(ledger, project)];
    return rows.map(([id, row]) => ({ id, body: JSON.stringify(row.feature) }));
  });
}

function isSealed({ file }: Ledger, project: string): boolean {
  return isTableSealed(file, 'features', project);
}

/** Parses a stored feature. Only this module writes them, after the schema has validated them. */
export function parseFeature(body: string): Feature {
  return JSON.parse(body) as Feature;
}

/** The number of the last entry about features; 0 if there is none. */
export function featuresNumber(ledger: Ledger, project: string): number {
  return Number(ledger.file.attempt(() => statements(ledger).number.get(project, KIND)) ?? 0);
}

/**
 * Records changed features in the chain and the table at once, and skips unchanged ones. Returns the number of the
 * last entry.
 */
export function recordFeatures(ledger: Ledger, project: string, change: FeatureChange): number {
  return inTransaction(ledger, () => {
    // Otherwise the new seal would cover what somebody else wrote.
    if (!isSealed(ledger, project)) rebuildFeatures(ledger, project);
    const { one } = statements(ledger);
    const changed = change.features
      .map(scrub)
      .filter((feature) => one.get(project, feature.id) !== JSON.stringify(feature));
    const removed = (change.removed ?? []).filter((id) => one.get(project, id) !== undefined);
    if (changed.length === 0 && removed.length === 0) return featuresNumber(ledger, project);
    const bodies = split(changed).map((features, index) => ({
      by: change.by,
      actor: change.actor,
      features,
      removed: index === 0 ? removed : [],
    }));
    const entries: NewEntry[] = bodies.map((body) => ({ kind: KIND, body }));
    const heads = ledger.appendMany(project, entries, (appended) => {
      for (const [index, { number }] of appended.entries()) apply(ledger, project, bodies[index], number);
      sealTable(ledger.file, 'features', project);
    });
    return heads.at(-1)?.number ?? 0;
  });
}

/** Brings the table up to an entry that another machine recorded. In the transaction that added it here. */
export function applyRecordedFeatures(
  ledger: Ledger,
  project: string,
  body: FeaturesRecorded,
  number: number,
): void {
  // Unsealed by that entry, and correct unless somebody else wrote into it before.
  apply(ledger, project, body, number);
  sealTable(ledger.file, 'features', project);
}

/** Like `recordFeatures`, for a change decided from the current features while nobody else writes. */
export function changeFeatures(
  ledger: Ledger,
  project: string,
  decide: (current: readonly Feature[]) => FeatureChange | undefined,
): number {
  return inTransaction(ledger, () => {
    const change = decide(readFeatures(ledger, project));
    return change ? recordFeatures(ledger, project, change) : featuresNumber(ledger, project);
  });
}

/** The features after an entry, read from the chain alone. */
export function featuresAt(
  ledger: Ledger,
  project: string,
  number: number = Number.MAX_SAFE_INTEGER,
): Feature[] {
  return [...walk(ledger, project, number).values()].map((row) => row.feature);
}

/** Ids of features that differ between table and chain. */
export function differingFeatures(ledger: Ledger, project: string): string[] {
  return inTransaction(ledger, () => {
    const chain = walk(ledger, project);
    const bodies = statements(ledger).bodies.all(project) as { id: string; body: string }[];
    const table = new Map(bodies.map(({ id, body }) => [id, parseFeature(body)]));
    const ids = new Set([...chain.keys(), ...table.keys()]);
    return [...ids].filter(
      (id) => canonicalJson(chain.get(id)?.feature ?? null) !== canonicalJson(table.get(id) ?? null),
    );
  });
}

/** Ids of features that are tested in the table but not in the entry it refers to. */
export function falselyTested(ledger: Ledger, project: string): readonly string[] {
  const { file } = ledger;
  const last = lastFalse(file.database);
  const state = file.attempt(() => tablesState(file));
  if (last.project !== project || last.state !== state)
    Object.assign(last, { project, state, ids: findFalselyTested(ledger, project) });
  return last.ids;
}

/** The table is read again only after it has changed. */
const lastFalse = perDatabase(() => ({
  project: undefined as string | undefined,
  state: '',
  ids: [] as readonly string[],
}));

function findFalselyTested(ledger: Ledger, project: string): string[] {
  const rows = ledger.file.attempt(() => statements(ledger).tested.all(project)) as Row[];
  return rows
    .filter(({ id, body, number }) => {
      const [entry] = ledger.entries(project, { kind: KIND, afterNumber: number - 1, limit: 1 });
      if (entry?.number !== number) return true;
      const { features } = featuresRecordedSchema.parse(entry.body);
      const recorded = features.find((one) => one.id === id);
      return canonicalJson(recorded ?? null) !== canonicalJson(JSON.parse(body));
    })
    .map(({ id }) => id);
}

/** Rebuilds the table from the chain; returns the ids of features that differed. */
export function rebuildFeatures(ledger: Ledger, project: string): string[] {
  return inTransaction(ledger, () => {
    const differing = differingFeatures(ledger, project);
    const { clear, put } = statements(ledger);
    clear.run(project);
    for (const [id, row] of walk(ledger, project)) {
      const { position, number } = row;
      put.run({ project, id, position, body: JSON.stringify(row.feature), number });
    }
    sealTable(ledger.file, 'features', project);
    return differing;
  });
}

interface Row {
  id: string;
  body: string;
  number: number;
}

interface ChainRow {
  feature: Feature;
  position: number;
  number: number;
}

function walk(ledger: Ledger, project: string, last = Number.MAX_SAFE_INTEGER): Map<string, ChainRow> {
  const rows = new Map<string, ChainRow>();
  let position = 0;
  for (const { number, body } of ledger.entries(project, { kind: KIND })) {
    if (number > last) break;
    const { features, removed } = featuresRecordedSchema.parse(body);
    for (const id of removed) rows.delete(id);
    for (const one of features) {
      position += 1;
      rows.set(one.id, { feature: one, number, position: rows.get(one.id)?.position ?? position });
    }
  }
  return new Map([...rows].sort(([, a], [, b]) => a.position - b.position));
}

function apply(
  ledger: Ledger,
  project: string,
  body: Pick<FeaturesRecorded, 'features' | 'removed'> | undefined,
  number: number,
): void {
  const { remove, change, put, last } = statements(ledger);
  for (const id of body?.removed ?? []) remove.run(project, id);
  let position: number | undefined;
  for (const one of body?.features ?? []) {
    const row = { project, id: one.id, body: JSON.stringify(one), number };
    if (change.run(row).changes > 0) continue;
    // Queried only if needed: it is the one query here that reads every row.
    position = (position ?? Number(last.get(project) ?? 0)) + 1;
    put.run({ ...row, position });
  }
}

function scrub(one: Feature): Feature {
  return featureSchema.parse(scrubBody(one, feature.freeText));
}

function split(features: readonly Feature[]): Feature[][] {
  const parts: Feature[][] = [[]];
  let size = 0;
  for (const one of features) {
    const length = JSON.stringify(one).length;
    if (size > 0 && size + length > ENTRY_CHARACTERS) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(one);
    size += length;
  }
  return parts;
}

function statements({ file: { database, attempt } }: Ledger): ReturnType<typeof prepare> {
  return attempt(() => prepare(database));
}

const prepare = perDatabase((database) => ({
  bodies: database.prepare('SELECT id, body FROM features WHERE project = ? ORDER BY position'),
  one: database.prepare('SELECT body FROM features WHERE project = ? AND id = ?').pluck(),
  tested: database.prepare(
    "SELECT id, body, number FROM features WHERE project = ? AND body ->> '$.tested' = 1",
  ),
  number: database.prepare('SELECT max(number) FROM entries WHERE project = ? AND kind = ?').pluck(),
  last: database.prepare('SELECT max(position) FROM features WHERE project = ?').pluck(),
  clear: database.prepare('DELETE FROM features WHERE project = ?'),
  remove: database.prepare('DELETE FROM features WHERE project = ? AND id = ?'),
  change: database.prepare(
    'UPDATE features SET body = @body, number = @number WHERE project = @project AND id = @id',
  ),
  put: database.prepare(
    'INSERT INTO features (project, id, position, body, number) VALUES (@project, @id, @position, @body, @number)',
  ),
}));
