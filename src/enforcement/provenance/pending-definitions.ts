import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  DEFINITION_FOLDERS,
  definitionDigest,
  isDefinitionPath,
} from '../../domain/protection/project-paths.ts';
import { isAfterIn, readHead } from '../../platform/git/git-refs.ts';
import { readBlobs } from '../../platform/git/git-versions.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { AREA_ROW } from '../../store/ledger/tables/watch-tables.ts';
import { definitionsInForce } from '../../verification/definition/definitions-in-force.ts';
import { readProvenance } from '../../verification/definition/provenance.ts';
import { watchTables } from '../actions/open-actions.ts';
import { compareArea } from '../watch/compare-area.ts';
import { watchAreas } from '../watch/watch-areas.ts';
import type { WatchContext } from '../watch/watch-context.ts';
import { definitionsOrigin, keptGuardFiles } from './guards-in-force.ts';

/** A version of a definition that has no effect yet. */
export interface PendingDefinition {
  path: string;
  change: 'added' | 'changed' | 'removed';
  /** `acceptance` if an agent may have written it; `commit` if it is a person's and not committed. */
  needs: 'acceptance' | 'commit';
  where: 'working files' | 'HEAD';
  summary: string;
  /** The version in force, and the pending one; undefined if there is no file. */
  inForce: Buffer | undefined;
  pending: Buffer | undefined;
}

/** All pending definitions of a checkout: from the working files, or from HEAD if those have nothing newer. */
export function pendingDefinitions(context: WatchContext): PendingDefinition[] {
  const { ledger, project, git, checkout } = context;
  const head = readHead(git);
  const provenance = readProvenance(ledger, project, git.commonDir);
  const found =
    head === undefined ? undefined : definitionsInForce(git.gitDir, head, provenance, DEFINITION_FOLDERS);
  const kept =
    (head !== undefined && found && keptGuardFiles(context, head, found.files, provenance)) || new Map();
  const files = new Map([...(found?.files ?? []), ...kept]);
  const blobs = readBlobs(git.gitDir, [
    ...files.values(),
    ...(found?.pending.flatMap(({ pending }) => pending ?? []) ?? []),
  ]);
  const contentOf = (blob: string | null | undefined) => (blob ? blobs.get(blob) : undefined);
  const isAfter = isAfterIn(git.gitDir, 'HEAD');
  const working = workingDefinitions(context);
  const committed = new Map(found?.pending.map((one) => [one.path, contentOf(one.pending)]) ?? []);
  const paths = new Set([...files.keys(), ...committed.keys(), ...working.keys()]);
  return [...paths].sort().flatMap((path): PendingDefinition[] => {
    const inForce = contentOf(files.get(path));
    const inWorking =
      !same(inForce, working.get(path)) && !isUnreadable(join(checkout, path), working.get(path));
    if (!inWorking && !committed.has(path)) return [];
    const where = inWorking ? 'working files' : 'HEAD';
    const pending = inWorking ? working.get(path) : committed.get(path);
    const isPersons =
      provenance === undefined ||
      (provenance.isPersons(path, pending) &&
        !provenance.isProposed(path, pending, isAfter) &&
        !kept.has(path));
    const change = inForce === undefined ? 'added' : pending === undefined ? 'removed' : 'changed';
    const needs = isPersons ? 'commit' : 'acceptance';
    return [{ path, change, needs, where, summary: summaryOf(change, needs), inForce, pending }];
  });
}

function workingDefinitions(context: WatchContext): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const [area] = watchAreas(context, []);
  if (!area) return files;
  for (const { path, found } of compareArea(area, [], { thorough: true }).differences)
    if (found?.bytes && found.kind === 'file' && isDefinitionPath(path)) files.set(path, found.bytes);
  return files;
}

/** An existing file that cannot be read does not count as removed. */
function isUnreadable(file: string, content: Buffer | undefined): boolean {
  return content === undefined && existsSync(file);
}

function same(one: Buffer | undefined, two: Buffer | undefined): boolean {
  if (!one || !two) return one === two;
  return definitionDigest(one) === definitionDigest(two);
}

function summaryOf(change: PendingDefinition['change'], needs: PendingDefinition['needs']): string {
  return needs === 'acceptance'
    ? `${change}, needs \`guardkit accept\``
    : `${change}, takes effect when committed`;
}

/**
 * Changes with everything that pending definitions depend on. Undefined if the working files are not as at the last
 * observation.
 */
function definitionsStamp(context: WatchContext): string | undefined {
  const [area] = watchAreas(context, context.globs);
  const rows = area && watchTables(context.ledger).watched(area.key);
  const seal = rows?.find(({ path }) => path === AREA_ROW)?.stamp ?? '';
  if (!area || !rows || seal === '') return undefined;
  const { differences, restamped, complete } = compareArea(area, rows, { thorough: false });
  if (differences.length + restamped.length > 0 || !complete) return undefined;
  return `${readHead(context.git) ?? 'none'} ${definitionsOrigin(context)} ${seal}`;
}

const SHOWN = 5;

/** Notice at the start of a session or build: definitions that need a person's acceptance. */
export function describePending(context: WatchContext): string[] {
  const { ledger, project, checkout } = context;
  const key = `no pending definitions of ${project} in ${checkout}`;
  const stamp = definitionsStamp(context);
  if (stamp !== undefined && findLastCached(ledger, key)?.stamp === stamp) return [];
  const open = pendingDefinitions(context).filter(({ needs }) => needs === 'acceptance');
  if (open.length === 0) {
    if (stamp !== undefined) cacheRead(ledger, key, stamp, {});
    return [];
  }
  const shown = open.slice(0, SHOWN).map(({ path, change }) => `${path} (${change})`);
  const more = open.length > SHOWN ? ` and ${open.length - SHOWN} more` : '';
  return [`Pending, without effect until you run \`guardkit accept\`: ${shown.join(', ')}${more}.`];
}
