import { relative, sep } from 'node:path';
import { definitionDigest, isDefinitionPath } from '../../domain/protection/project-paths.ts';
import { watchTables } from '../actions/open-actions.ts';
import { proposeDefinitions } from '../provenance/propose-definitions.ts';
import { accept } from './area-state.ts';
import { watchAreas } from './watch-areas.ts';
import type { WatchContext } from './watch-context.ts';
import { type Found, lookAt, readFound } from './watched-file.ts';

/** On whose behalf GuardKit wrote. */
export type WrittenFor = 'person' | 'agent';

/**
 * Files that GuardKit itself has just written or removed, by their absolute real paths: they are no change to be noticed.
 * A definition counts as a person's, or as a proposal if an agent asked for it. Call this right after writing.
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
        const look = lookAt(file);
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
