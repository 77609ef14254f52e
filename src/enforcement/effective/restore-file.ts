import type { FileRestored } from '../../store/ledger/kinds/protection/file-restored.ts';
import type { WatchedRow } from '../../store/ledger/tables/watch-tables.ts';
import type { AgentAction } from '../actions/open-actions.ts';
import { contentHash, linkHash } from '../restore/file-state.ts';
import { keepVersion } from '../restore/keep-version.ts';
import { type VersionToWrite, writeVersion } from '../restore/write-version.ts';
import { absolutePath, type Difference, wasThere } from '../watch/compare-area.ts';
import type { WatchArea } from '../watch/watch-areas.ts';
import type { WatchContext } from '../watch/watch-context.ts';
import { FOLDER_HASH } from '../watch/watched-file.ts';

/** A restored file, for notices. */
export interface RestoredFile {
  /** As shown to people. */
  path: string;
  what: string;
  /** It was not there before, so that undoing the change removes it. */
  isNew: boolean;
  /** Why it could not be restored; undefined if it was. */
  failure: string | undefined;
}

export interface RestoreOrder {
  area: WatchArea;
  difference: Difference;
  /** The content to restore; undefined to remove the file. */
  content: Buffer | undefined;
  mode: number;
  reason: FileRestored['reason'];
  during: Pick<AgentAction, 'session' | 'action' | 'body'>;
  /** The keys that changed in git's configuration. */
  keys?: readonly string[];
  /** Called instead of writing the content; returns the reason if it failed. */
  perform?: () => string | undefined;
}

/** Keeps the current version and records its replacement. Call it in a transaction, before anything is written. */
export function recordRestore(context: WatchContext, order: RestoreOrder): { what: string } {
  const { ledger, project, dataFolder, checkout } = context;
  const { area, difference, content, mode, reason, during, keys = [] } = order;
  const { path, found, before } = difference;
  const absolute = absolutePath(area, path);
  const shown = area.shown(path);
  const kept = found
    ? keepVersion(
        { dataFolder, project },
        {
          absolute,
          shown,
          mode: found.mode,
          ...(found.kind === 'file' && found.bytes ? { content: found.bytes } : {}),
        },
      )
    : undefined;
  const named = keys
    .join(', ')
    .replace(/[^ -~]/g, '?')
    .slice(0, MAX_KEYS);
  const what = `${describeChange(difference)}${named === '' ? '' : ` (${named})`}`;
  ledger.append(project, 'file_restored', {
    path: shown,
    absolute,
    checkout,
    session: during.session,
    agent: during.body.agent,
    agent_type: during.body.agent_type,
    action: during.action,
    reason,
    what,
    found_hash: found?.hash ?? null,
    found_mode: found?.mode ?? null,
    quarantined: kept?.quarantined ?? null,
    restored_hash: content === undefined ? null : restoredHash(before, content),
    restored_mode: content === undefined ? null : mode,
    during: during.body.summary.slice(0, 300),
  } satisfies FileRestored);
  return { what };
}

const MAX_KEYS = 200;

function restoredHash(before: WatchedRow | undefined, content: Buffer): string {
  return before?.hash.startsWith('link:') ? linkHash(content) : contentHash(content);
}

/** Performs a recorded restore; returns the reason if it failed. */
export function performRestore(
  { area, difference, content, mode }: RestoreOrder,
  folderModes: ReadonlyMap<string, number>,
): string | undefined {
  const absolute = absolutePath(area, difference.path);
  try {
    const version = versionOf(difference.before, content, mode);
    writeVersion(absolute, version, { within: area.folder, folderModes });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function versionOf(
  before: WatchedRow | undefined,
  content: Buffer | undefined,
  mode: number,
): VersionToWrite {
  if (before?.hash === FOLDER_HASH) return { kind: 'folder', mode: before.mode };
  if (content === undefined) return { kind: 'absent' };
  return before?.hash.startsWith('link:')
    ? { kind: 'link', target: content }
    : { kind: 'file', content, mode };
}

export function describeChange({ before, found }: Difference): string {
  if (!found) return 'was removed';
  if (!wasThere(before)) return found.kind === 'link' ? 'was created as a link' : 'was created';
  if (found.kind === 'link' && !before.hash.startsWith('link:')) return 'was replaced by a link';
  if (found.kind === 'folder' || before.hash === FOLDER_HASH) return `was replaced by a ${found.kind}`;
  if (found.kind === 'other') return 'was replaced by a special file';
  if (found.hash !== before.hash) return 'was changed';
  return 'had its permissions changed';
}
