import type { GuardAnswer, GuardsAnswer } from '../../src/interfaces/dashboard/api/guards-schema.ts';
import { link } from '../addresses.ts';
import { percent, plural } from '../format.ts';
import { Badge, Command, Empty, Section, Shown, Time } from '../parts/basics.tsx';
import { Objections } from '../parts/objections.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';

/** A guard's source, waivers and backtest. */
export function GuardView({ project, id }: { project: string; id: string }) {
  const reading = useRead<GuardAnswer>('guard', { project, id }, { live: false });
  return (
    <>
      <p class="crumbs">
        <a href={link('guards')}>Guards</a> / {short(id, 80)}
      </p>
      <Shown reading={reading} waiting="Reading the guard and testing it on the recorded actions…">
        {(guard) => (
          <>
            <header class="feature-head">
              <h1>{short(guard.id, 120)}</h1>
              <p>{short(guard.summary, 600)}</p>
              <p class="meta">
                <Badge word={guard.mode} />
                <span>{guard.origin}</span>
                <span>judges {guard.kinds.join(', ')}</span>
                {guard.sessions !== 'all' && <span>only in {guard.sessions} sessions</span>}
                {guard.file && <span class="path">{short(guard.file, 200)}</span>}
                {guard.pattern && (
                  <a href={link(`episode/-/${encodeURIComponent(guard.pattern)}`)}>{guard.pattern}</a>
                )}
                {guard.expires && (
                  <span>
                    {guard.expired ? 'expired' : 'expires'} <Time at={guard.expires} />
                  </span>
                )}
              </p>
              {guard.stale && <p class="problem">Its file has faults; the last valid version is in force.</p>}
            </header>
            <Record project={project} id={guard.id} />
            <Backtest guard={guard} />
            <Section title="Waivers" count={guard.waivers.length}>
              {guard.waivers.length === 0 ? (
                <Empty>No waiver is in force.</Empty>
              ) : (
                <ul class="lines">
                  {guard.waivers.map((waiver) => (
                    <li key={waiver.id}>
                      <code>{waiver.id}</code>
                      <span class="grow">{short(waiver.reason, 300)}</span>
                      <span class="quiet">{short(waiver.by, 60)}</span>
                      <span class="quiet">
                        until <time dateTime={waiver.until}>{new Date(waiver.until).toLocaleString()}</time>
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </Section>
            <Section title="Source">
              {guard.source === null ? (
                <Empty>This guard is part of GuardKit.</Empty>
              ) : (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
                <pre class="source panel" tabIndex={0}>
                  {guard.source}
                </pre>
              )}
            </Section>
            {guard.origin === 'learned' && guard.mode !== 'enforce' && (
              <Section title="To decide">
                <Command text={`guardkit guard promote ${guard.id}`} />
              </Section>
            )}
          </>
        )}
      </Shown>
    </>
  );
}

const DAYS = 30;

/** What it objected to lately, and how often that was wrong. */
function Record({ project, id }: { project: string; id: string }) {
  const reading = useRead<GuardsAnswer>('guards', { project, days: String(DAYS) });
  return (
    <Shown reading={reading}>
      {({ guards, events, more }) => {
        const own = guards.find((one) => one.id === id);
        return (
          <>
            {own && (
              <Section title={`The last ${DAYS} days`}>
                <dl class="tiles">
                  <Tile name="Refused" value={String(own.counts.refused + own.counts.asked)} />
                  <Tile name="Warned" value={String(own.counts.warned)} />
                  <Tile name="Restored" value={String(own.counts.restored)} />
                  <Tile name="Waived" value={String(own.counts.waived)} />
                  <Tile name="Only watched" value={String(own.counts.watched)} />
                  <Tile
                    name="False-block rate"
                    value={own.false_block_rate === null ? '–' : percent(own.false_block_rate)}
                  />
                </dl>
              </Section>
            )}
            <Objections events={events.filter(({ guard }) => guard === id)} days={DAYS} more={more} />
          </>
        );
      }}
    </Shown>
  );
}

function Backtest({ guard: { backtest } }: { guard: GuardAnswer }) {
  if (!backtest) return null;
  const { actions, fired, violations, approved, unknown, false_blocks: wrong, at } = backtest;
  const judged = violations + approved;
  return (
    <Section title="Backtest">
      <dl class="tiles">
        <Tile name="Recorded actions" value={actions.toLocaleString()} />
        <Tile name="Would have refused" value={String(fired)} />
        <Tile name="Rightly" value={String(violations)} />
        <Tile name="Wrongly" value={String(approved)} tone={approved > 0 ? 'bad' : ''} />
        <Tile name="Not judged yet" value={String(unknown)} />
        <Tile name="False-block rate" value={judged === 0 ? '–' : percent(approved / judged)} />
      </dl>
      {wrong.length > 0 && (
        <details class="panel">
          <summary>{plural(wrong.length, 'approved action')} that it would have refused</summary>
          <ul class="plain-list">
            {wrong.map((one) => (
              <li key={`${one.at} ${one.summary}`}>
                <code>{short(one.summary, 300)}</code> {one.feature} <Time at={one.at} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <p class="quiet">
        Tested <Time at={at} />.
      </p>
    </Section>
  );
}

function Tile({ name, value, tone = '' }: { name: string; value: string; tone?: string }) {
  return (
    <div class={`tile ${tone}`}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
