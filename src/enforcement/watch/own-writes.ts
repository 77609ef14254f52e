import { hash } from 'node:crypto';
import { relative, sep } from 'node:path';
import { isShape, isText } from '../../domain/json/plain-shape.ts';
import { definitionDigest, isDefinitionPath } from '../../domain/protection/project-paths.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { watchTables } from '../actions/open-actions.ts';
import { proposeDefinitions } from '../provenance/propose-definitions.ts';
import { accept } from './compare-area.ts';
import { watchAreas } from './watch-areas.ts';
import type { WatchContext } from './watch-context.ts';
import { type Found, readFound, statPath } from './watched-file.ts';

/** For whom GuardKit wrote. */
export type WrittenFor = 'person' | 'agent';

/**
 * Accepts files that GuardKit itself has just written or removed (absolute real paths), so that they are not reported as
 * changes. A definition counts as a person's, or as a proposal if an agent asked for it. Call it right after writing.
 */
export function acceptOwnWrites(
  context: WatchContext,
  files: readonly string[],
  by: WrittenFor = 'person',
): void {
  const tables = watchTables(context.ledger);
  tables.exclusively(() => {
    for (const area of watchAreas(context, context.globs)) {
      for (const file of files) {
        const path = relative(area.folder, file).split(sep).join('/');
        if (path.startsWith('..') || !area.wants(path)) continue;
        const look = statPath(file);
        const found = look && readFound(file, path, look);
        accept(tables, area, { path, before: undefined, found });
        if (area.kind === 'checkout' && isDefinitionPath(path)) noteDefinition(context, path, found, by);
      }
    }
  });
}

function noteDefinition(context: WatchContext, path: string, found: Found | undefined, by: WrittenFor): void {
  const content = found?.bytes;
  if (found && !content) return;
  if (by === 'agent') proposeDefinitions(context, [{ path, content, origin: 'guardkit' }]);
  else
    context.ledger.append(context.project, 'definition_recorded', {
      path,
      digest: content ? definitionDigest(content) : null,
      origin: 'guardkit',
      checkout: context.checkout,
    });
}

const isBody = isShape({ hash: isText });

/**
 * Records the text that GuardKit is about to write, in the same transaction: a hook that reads the file before the write
 * is accepted, or after its writer was killed, recognizes it by the hash.
 */
export function noteOwnText(ledger: Ledger, file: string, text: string): void {
  cacheRead(ledger, key(file), '', { hash: hash('sha256', text) });
}

export function isOwnText(ledger: Ledger, file: string, found: string): boolean {
  const last = findLastCached(ledger, key(file))?.body;
  return isBody(last) && last.hash === found;
}

function key(file: string): string {
  return `text that guardkit wrote to ${file}`;
}
