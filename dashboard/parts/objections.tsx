import { useState } from 'preact/hooks';
import type { GuardEvent } from '../../src/interfaces/dashboard/api/guards-schema.ts';
import { link } from '../addresses.ts';
import { short } from '../printable.ts';
import { Badge, Empty, Section, Time } from './basics.tsx';
import { DayBars } from './day-bars.tsx';

const SHOWN = 20;

/** What guards objected to, over time and one by one. */
export function Objections({
  events,
  days,
  more,
}: {
  events: readonly GuardEvent[];
  days: number;
  more: boolean;
}) {
  const [most, setMost] = useState(SHOWN);
  return (
    <Section title="Objections" count={events.length}>
      {events.length === 0 ? (
        <Empty>No objections in this period.</Empty>
      ) : (
        <>
          <DayBars events={events} days={days} />
          <ul class="lines">
            {events.slice(0, most).map((event) => (
              <li key={`${event.number} ${event.guard}`}>
                <Badge word={event.outcome} />
                <span class="grow">
                  <code>{short(event.text, 300)}</code>
                  <span class="quiet block">
                    <a href={link(`guards/${encodeURIComponent(event.guard)}`)}>{short(event.guard, 60)}</a>
                    {': '}
                    {short(event.reason, 300)}
                  </span>
                </span>
                <span class="quiet by">
                  {short(event.agent, 40)}
                  {event.feature && (
                    <>
                      {', '}
                      <a href={link(`feature/${event.feature}`)}>{event.feature}</a>
                    </>
                  )}
                </span>
                <Time at={event.at} />
              </li>
            ))}
          </ul>
          {events.length > most && (
            <button type="button" class="more" onClick={() => setMost(most + 5 * SHOWN)}>
              Show {Math.min(5 * SHOWN, events.length - most)} more
            </button>
          )}
          {more && <p class="quiet">Older ones are left out.</p>}
        </>
      )}
    </Section>
  );
}
