import { useMemo, useState } from 'preact/hooks';
import type { FeaturesAnswer } from '../../src/interfaces/dashboard/api/schemas.ts';
import { link } from '../addresses.ts';
import { plural, words } from '../format.ts';
import { Badge, Empty, Shown } from '../parts/basics.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { WindowedList } from '../parts/windowed-list.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';

type Feature = FeaturesAnswer['features'][number];

const COLUMNS = ['blocked', 'in_progress', 'pending', 'completed'] as const;
const CARD_HEIGHT = 118;

const FILTERS: Readonly<Record<string, { label: string; fits: (one: Feature) => boolean }>> = {
  all: { label: 'All', fits: () => true },
  blocked: { label: 'Blocked', fits: ({ status }) => status === 'blocked' },
  waiting: {
    label: 'Waiting for others',
    fits: ({ waits_for, status }) => waits_for.length > 0 && status !== 'completed',
  },
  budget: { label: 'Over budget', fits: ({ last_build }) => last_build?.outcome === 'budget' },
  untested: { label: 'Not tested', fits: ({ tested }) => !tested },
};

export function Features({ project }: { project: string }) {
  const reading = useRead<FeaturesAnswer>('features', { project });
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState('all');
  return (
    <Shown reading={reading}>
      {({ features, faults }) => (
        <>
          <h1 class="hidden">Features</h1>
          <div class="bar">
            <SearchField what="features" value={search} onInput={setSearch} />
            <fieldset class="chips">
              <legend class="hidden">Filter</legend>
              {Object.entries(FILTERS).map(([name, { label }]) => (
                <button
                  type="button"
                  key={name}
                  aria-pressed={filter === name}
                  onClick={() => setFilter(name)}
                >
                  {label}
                </button>
              ))}
            </fieldset>
          </div>
          {faults > 0 && (
            <p class="problem">
              {plural(faults, 'fault')} in task and feature files: <code>guardkit feature validate</code>{' '}
              lists them.
            </p>
          )}
          {features.length === 0 ? (
            <Empty>
              This project has no features yet. <code>guardkit feature add "TEXT"</code> adds the first.
            </Empty>
          ) : (
            <Board features={features} search={search} filter={filter} />
          )}
        </>
      )}
    </Shown>
  );
}

function Board({
  features,
  search,
  filter,
}: {
  features: readonly Feature[];
  search: string;
  filter: string;
}) {
  const columns = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    const fits = FILTERS[filter]?.fits ?? (() => true);
    const shown = features.filter(
      (one) => fits(one) && (wanted === '' || `${one.id} ${one.name}`.toLowerCase().includes(wanted)),
    );
    return COLUMNS.map((status) => ({
      status,
      features: shown
        .filter((one) => one.status === status)
        .sort((one, other) => Number(other.running) - Number(one.running) || one.priority - other.priority),
    }));
  }, [features, search, filter]);
  const shown = columns.filter((column) => column.features.length > 0);
  if (shown.length === 0) return <Empty>No feature matches this filter.</Empty>;
  return (
    <div class="board">
      {shown.map(({ status, features: own }) => (
        <section key={status} class="column">
          <h2>
            <Badge word={status} /> <span class="count">{own.length}</span>
          </h2>
          <WindowedList
            items={own}
            height={CARD_HEIGHT}
            label={`${words(status)} features`}
            row={(one) => <Card one={one} />}
          />
        </section>
      ))}
    </div>
  );
}

function Card({ one }: { one: Feature }) {
  return (
    <a class={`card feature${one.running ? ' running' : ''}`} href={link(`feature/${one.id}`)}>
      <span class="top">
        <strong>{one.id}</strong>
        <span class="quiet" title="Priority; 1 is the most urgent">
          P{one.priority}
        </span>
        {one.running && <Badge word="running" label="building" />}
        {one.tested && <Badge word="tested" />}
      </span>
      <span class="title">{short(one.name, 160)}</span>
      <span class="why">{reasonOf(one)}</span>
    </a>
  );
}

/** Why it is where it is, in one line. */
function reasonOf({ status, blocked_reason, waits_for, last_build, retries, why_waiting }: Feature): string {
  if (status === 'blocked') return short(blocked_reason ?? 'blocked', 200);
  if (status === 'completed') return retries > 0 ? `after ${plural(retries, 'failed attempt')}` : '';
  if (waits_for.length > 0) return `waits for ${short(waits_for.join(', '), 120)}`;
  if (last_build?.outcome === 'approved' && !last_build.settled) return 'approved; ready to merge';
  if (last_build && last_build.outcome !== 'approved')
    return `last build: ${words(last_build.outcome)}. ${short(last_build.why, 120)}`;
  return why_waiting ? short(why_waiting, 160) : '';
}
