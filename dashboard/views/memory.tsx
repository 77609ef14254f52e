import { useState } from 'preact/hooks';
import type { EpisodesAnswer, MemoryAnswer } from '../../src/interfaces/dashboard/api/memory-schema.ts';
import { link } from '../addresses.ts';
import { bytes, plural, words } from '../format.ts';
import { Empty, Shown, Time } from '../parts/basics.tsx';
import { Choice } from '../parts/choice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';

const SHOWN = 25;

/** Search as you type, filtered by group and field. */
export function Memory({ project }: { project: string }) {
  const groups = useRead<MemoryAnswer>('memory', { project });
  const [query, setQuery] = useState('');
  const [group, setGroup] = useState('');
  const [field, setField] = useState('');
  const [value, setValue] = useState('');
  const chosen = groups.data?.groups.find((one) => one.group === group);
  const filters: Record<string, string> = { project, query };
  if (group !== '') filters.group = group;
  if (chosen && field !== '' && value !== '') Object.assign(filters, { field, value });
  const found = useRead<EpisodesAnswer>('episodes', filters, { keep: true });
  return (
    <Shown reading={groups}>
      {({ store, groups: all, undelivered }) => (
        <>
          <h1 class="hidden">Memory</h1>
          <div class="bar">
            <SearchField what="memory" value={query} onInput={setQuery} />
            <Choice
              label="Group"
              value={group}
              options={groupNames(all)}
              onChange={(name) => {
                setGroup(name);
                setField('');
                setValue('');
              }}
            />
            {chosen && chosen.fields.length > 0 && (
              <Choice
                label="Field"
                value={field}
                options={{
                  '': 'Any field',
                  ...Object.fromEntries(chosen.fields.map((name) => [name, words(name)])),
                }}
                onChange={setField}
              />
            )}
            {chosen && field !== '' && (
              <input
                class="value"
                aria-label={`Value of ${field}`}
                placeholder={`${words(field)} is…`}
                value={value}
                onInput={({ currentTarget }) => setValue(currentTarget.value)}
              />
            )}
          </div>
          {store === null ? (
            <Empty>
              Memory is empty. Builds and sessions fill it; <code>guardkit memory seed</code> adds what is the
              same for every project.
            </Empty>
          ) : (
            <>
              <Shown reading={found} waiting="Searching…">
                {(answer) => <Results answer={answer} query={query} />}
              </Shown>
              <p class="quiet">
                {plural(
                  all.reduce((sum, { episodes }) => sum + episodes, 0),
                  'episode',
                )}{' '}
                in {store.backend}, {short(store.location, 200)} ({bytes(store.size_bytes)})
                {undelivered > 0 &&
                  `; ${plural(undelivered, 'ledger entry', 'ledger entries')} not delivered yet`}
              </p>
            </>
          )}
        </>
      )}
    </Shown>
  );
}

function groupNames(groups: MemoryAnswer['groups']): Record<string, string> {
  const filled = groups.filter(({ episodes }) => episodes > 0);
  return {
    '': 'All groups',
    ...Object.fromEntries(
      filled.map(({ group, name, scope, episodes }) => [
        group,
        `${words(name)}${scope === 'system' ? ', all projects' : ''} (${episodes.toLocaleString()})`,
      ]),
    ),
  };
}

function Results({ answer: { episodes, more }, query }: { answer: EpisodesAnswer; query: string }) {
  const [most, setMost] = useState(SHOWN);
  if (episodes.length === 0) return <Empty>Nothing fits.</Empty>;
  return (
    <>
      <h2>
        {query.trim() === '' ? 'Newest' : 'Found'}
        <span class="count">{more ? `first ${episodes.length}` : episodes.length}</span>
      </h2>
      <ul class="lines results">
        {episodes.slice(0, most).map((one) => (
          <li key={`${one.group} ${one.entity_id}`}>
            <span class="grow">
              <a href={link(`episode/${encodeURIComponent(one.group)}/${encodeURIComponent(one.entity_id)}`)}>
                {short(one.name || one.entity_id, 200)}
              </a>
              <span class="quiet block">
                {short(one.entity_id, 80)} · {words(one.entity_type)}
              </span>
              <span class="excerpt">{short(one.text, 280)}</span>
            </span>
            <Time at={one.valid_at} />
          </li>
        ))}
      </ul>
      {episodes.length > most && (
        <button type="button" class="more" onClick={() => setMost(episodes.length)}>
          Show {episodes.length - most} more
        </button>
      )}
    </>
  );
}
