import { type Episode, isBelievedSource, LEDGER_SOURCE } from '../../../domain/entities/episode.ts';
import type { EpisodeStore } from '../../../store/episode-store.ts';
import { plural } from '../output/printable.ts';

const IDS_AT_ONCE = 500;
const SHOWN = 3;

type Named = Pick<Episode, 'group' | 'entity_id'>;

/** Those that say that GuardKit or a person wrote them, in words for "only a person may …"; undefined if none does. */
export function describeClaims(episodes: readonly Episode[]): string | undefined {
  const claiming = episodes.filter(({ source }) => isBelievedSource(source));
  if (claiming.length === 0) return undefined;
  const sources = [...new Set(claiming.map(({ source }) => source))].sort();
  return `import ${plural(claiming.length, 'version')} with the source ${sources.join(' or ')} (${named(claiming)})`;
}

/** Those whose place holds what the ledger recorded, in words for "only a person may …"; undefined if there are none. */
export async function describeReplaced(
  store: Pick<EpisodeStore, 'list'>,
  episodes: readonly Named[],
): Promise<string | undefined> {
  const found = await findRecorded(store, episodes);
  return found.length === 0 ? undefined : `replace what the ledger recorded (${named(found)})`;
}

/** Whether any version in these groups, past ones included, is what the ledger recorded. */
export async function describeRemoved(
  store: Pick<EpisodeStore, 'export'>,
  groups: readonly string[],
): Promise<string | undefined> {
  for await (const record of store.export({ groups }))
    if (record.kind === 'episode' && record.source === LEDGER_SOURCE)
      return `remove what the ledger recorded (${named([record])})`;
  return undefined;
}

async function findRecorded(
  store: Pick<EpisodeStore, 'list'>,
  episodes: readonly Named[],
): Promise<Episode[]> {
  const found: Episode[] = [];
  for (const group of new Set(episodes.map((episode) => episode.group))) {
    const own = episodes.filter((episode) => episode.group === group);
    const ids = [...new Set(own.map(({ entity_id }) => entity_id))];
    for (let start = 0; start < ids.length; start += IDS_AT_ONCE)
      found.push(
        ...(await store.list(group, {
          where: [
            { field: 'source', op: 'eq', value: LEDGER_SOURCE },
            { field: 'entity_id', op: 'in', value: ids.slice(start, start + IDS_AT_ONCE) },
          ],
        })),
      );
  }
  return found;
}

function named(episodes: readonly Named[]): string {
  const names = [...new Set(episodes.map(({ group, entity_id }) => `${entity_id} in ${group}`))];
  const left = names.length - SHOWN;
  return [...names.slice(0, SHOWN), ...(left > 0 ? [`${left} more`] : [])].join(', ');
}
