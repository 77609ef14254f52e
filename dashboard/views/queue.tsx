import { useEffect } from 'preact/hooks';
import type { QueueAnswer } from '../../src/interfaces/dashboard/api/read-queue.ts';
import { link } from '../addresses.ts';
import { plural, usd } from '../format.ts';
import { Badge, Command, Empty, Section, Shown, Time } from '../parts/basics.tsx';
import { WindowedList } from '../parts/windowed-list.tsx';
import { short } from '../printable.ts';
import { type Reading, useRead } from '../use-read.ts';

type Item = QueueAnswer['items'][number];
type Worker = QueueAnswer['workers'][number];

/** Workers on other machines change nothing here; the page finds out by asking. */
const ASK_MS = 5000;
const ROW_HEIGHT = 42;
/** With a second line that tells why. */
const TALL_ROW_HEIGHT = 62;
const OPEN = ['building', 'queued', 'waiting'];
/** A project that has no queue, and does not need one. */
const NOT_IN_USE = [
  'queue.no-server',
  'queue.not-initialized',
  'queue.unknown-project',
  'queue.no-remote',
  'queue.no-checkout',
];

function useQueue(project: string): Reading<QueueAnswer> {
  const reading = useRead<QueueAnswer>('queue', { project }, { live: false });
  const code = reading.data?.missing?.code;
  const isUsed = code === undefined || !NOT_IN_USE.includes(code);
  useEffect(() => {
    if (!isUsed) return undefined;
    const timer = setInterval(() => !document.hidden && reading.reload(), ASK_MS);
    return () => clearInterval(timer);
  }, [project, isUsed]);
  return reading;
}

export function QueueView({ project }: { project: string }) {
  return (
    <Shown reading={useQueue(project)} waiting="Asking the server of the queue…">
      {(queue) => (
        <>
          <h1 class="hidden">Queue</h1>
          {queue.missing ? <Missing missing={queue.missing} /> : <Whole queue={queue} />}
        </>
      )}
    </Shown>
  );
}

function Missing({ missing: { message, hint } }: { missing: NonNullable<QueueAnswer['missing']> }) {
  return (
    <Section title="No queue">
      <p>{short(message, 600)}</p>
      <p class="hint">{short(hint, 600)}</p>
    </Section>
  );
}

function Whole({ queue: { items, workers, branch, budget_usd, spent_usd } }: { queue: QueueAnswer }) {
  const alive = workers.filter(({ alive }) => alive);
  const gone = workers.filter(({ alive }) => !alive);
  const open = items.filter(({ state }) => OPEN.includes(state));
  const ended = items.filter(({ state }) => !OPEN.includes(state));
  return (
    <>
      <p class="quiet">
        Completed features are on <code>{short(branch ?? '', 200)}</code>.
        {budget_usd !== null && ` ${usd(spent_usd) || '$0.00'} of ${usd(budget_usd)} spent or reserved.`}
      </p>
      <Section title="Workers" count={alive.length}>
        {alive.length === 0 && (
          <>
            <Empty>No worker is running, so nothing is built.</Empty>
            <Command text="guardkit worker" />
          </>
        )}
        <Workers workers={[...alive, ...gone]} />
      </Section>
      <Section title="To build" count={open.length}>
        {open.length === 0 ? (
          <Empty>
            The queue is empty. <code>guardkit queue add FEATURE</code> adds a feature.
          </Empty>
        ) : (
          <Items items={open} workers={alive} label="Features to build" />
        )}
      </Section>
      {ended.length > 0 && (
        <Section title="Ended" count={ended.length}>
          <Items items={ended} workers={[]} label="Ended features" />
        </Section>
      )}
    </>
  );
}

const MOST_WORKERS = 100;

function Workers({ workers }: { workers: readonly Worker[] }) {
  if (workers.length === 0) return null;
  return (
    <>
      <ul class="lines workers">
        {workers.slice(0, MOST_WORKERS).map((one) => (
          <li key={one.id} class={one.alive ? '' : 'gone'}>
            <Badge
              word={one.alive ? (one.building.length > 0 ? 'running' : 'idle') : 'ended'}
              label={one.alive ? (one.building.length > 0 ? 'Building' : 'Free') : 'Ended'}
            />
            <div class="grow">
              <strong>{short(one.host, 80)}</strong> <span class="quiet">process {one.pid}</span>{' '}
              {one.building.map((feature) => (
                <a key={feature} href={link(`feature/${feature}`)}>
                  {short(feature, 80)}
                </a>
              ))}
              {!one.alive && <span class="quiet">{short(one.why ?? '', 120)}</span>}
            </div>
            <span class="quiet">GuardKit {short(one.version, 20)}</span>
            <span class="quiet">
              {one.alive ? 'heartbeat ' : ''}
              <Time at={one.alive ? one.beat_at : one.ended_at} />
            </span>
          </li>
        ))}
      </ul>
      {workers.length > MOST_WORKERS && <Empty>… and {workers.length - MOST_WORKERS} more.</Empty>}
    </>
  );
}

function Items({
  items,
  workers,
  label,
}: {
  items: readonly Item[];
  workers: readonly Worker[];
  label: string;
}) {
  const hosts = new Map(workers.flatMap(({ building, host }) => building.map((feature) => [feature, host])));
  const whyOf = (one: Item) => why(one, hosts.get(one.feature));
  const height = items.some((one) => whyOf(one) !== '') ? TALL_ROW_HEIGHT : ROW_HEIGHT;
  return (
    <div class="queue-list">
      <WindowedList
        items={items}
        height={height}
        label={label}
        row={(one) => <Row one={one} why={whyOf(one)} />}
      />
    </div>
  );
}

function Row({ one, why }: { one: Item; why: string }) {
  const at = one.ended_at ?? one.began_at ?? one.added_at;
  return (
    <div class="queued">
      <Badge word={one.state === 'building' ? 'running' : one.state} label={STATES[one.state]} />
      <div class="grow">
        <span class="what">
          <a href={link(`feature/${one.feature}`)}>{short(one.feature, 100)}</a>{' '}
          <span class="quiet">
            P{one.priority}
            {one.budget_usd !== null && `, at most ${usd(one.budget_usd)}`}
          </span>
        </span>
        {why !== '' && (
          <span class="why quiet" title={short(why, 600)}>
            {short(why, 300)}
          </span>
        )}
      </div>
      <Time at={at} />
    </div>
  );
}

const STATES: Readonly<Record<string, string>> = {
  waiting: 'Waiting',
  queued: 'Queued',
  building: 'Building',
  completed: 'Completed',
  blocked: 'Blocked',
  stopped: 'Stopped',
  cancelled: 'Cancelled',
  failed: 'Failed',
};

function why({ state, needs, why: reason }: Item, host: string | undefined): string {
  if (state === 'waiting' && needs.length > 0) return `needs ${needs.join(', ')}`;
  if (state === 'building')
    return host === undefined ? 'its worker is gone; another takes over' : `on ${host}`;
  return reason;
}

/** For the start page; nothing where the project has no queue. */
export function QueueSummary({ project }: { project: string }) {
  const { data } = useQueue(project);
  if (!data || (data.missing && NOT_IN_USE.includes(data.missing.code))) return null;
  const { missing, items, workers } = data;
  const count = (state: string) => items.filter((one) => one.state === state).length;
  const alive = workers.filter(({ alive }) => alive).length;
  return (
    <Section title="Queue">
      {missing ? (
        <p class="problem">{short(missing.message, 400)}</p>
      ) : (
        <p>
          {plural(count('building'), 'feature')} being built by {plural(alive, 'worker')}, {count('queued')}{' '}
          queued, {count('waiting')} waiting for others, {count('completed')} completed
          {OVER.map((state) => (count(state) > 0 ? `, ${count(state)} ${state}` : ''))}.{' '}
          <a href={link('queue')}>Queue and workers</a>
        </p>
      )}
    </Section>
  );
}

const OVER = ['blocked', 'stopped', 'failed', 'cancelled'] as const;
