import { useState } from 'preact/hooks';
import type { GuardEvent, GuardsAnswer } from '../../src/interfaces/dashboard/api/guards-schema.ts';
import { link } from '../addresses.ts';
import { percent, plural } from '../format.ts';
import { Badge, Section, Shown, Time } from '../parts/basics.tsx';
import { Choice } from '../parts/choice.tsx';
import { Objections } from '../parts/objections.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';

const DAYS = { '1': '24 hours', '7': '7 days', '30': '30 days', '365': '1 year' } as const;

interface Filter {
  guard: string;
  agent: string;
  outcome: string;
}

const ALL: Filter = { guard: '', agent: '', outcome: '' };

/** What was refused, restored and waived: by guard, agent and time. */
export function Guards({ project }: { project: string }) {
  const [days, setDays] = useState('30');
  const reading = useRead<GuardsAnswer>('guards', { project, days }, { keep: true });
  const [filter, setFilter] = useState(ALL);
  return (
    <Shown reading={reading}>
      {(answer) => (
        <>
          <h1 class="hidden">Guards</h1>
          <div class="bar">
            <Choice label="Time" value={days} options={DAYS} onChange={setDays} />
            <Choice
              label="Guard"
              value={filter.guard}
              options={named('All guards', answer.guards.map(({ id }) => id).sort())}
              onChange={(guard) => setFilter({ ...filter, guard })}
            />
            <Choice
              label="Agent"
              value={filter.agent}
              options={named('All agents', distinct(answer.events, 'agent'))}
              onChange={(agent) => setFilter({ ...filter, agent })}
            />
            <Choice
              label="Outcome"
              value={filter.outcome}
              options={named('All outcomes', distinct(answer.events, 'outcome'))}
              onChange={(outcome) => setFilter({ ...filter, outcome })}
            />
          </div>
          <Objections events={fitting(answer.events, filter)} days={Number(days)} more={answer.more} />
          <Section title="Guards" count={answer.guards.length}>
            <GuardTable guards={answer.guards} />
          </Section>
        </>
      )}
    </Shown>
  );
}

function named(all: string, names: readonly string[]): Record<string, string> {
  return { '': all, ...Object.fromEntries(names.map((name) => [name, short(name, 60)])) };
}

function distinct(events: readonly GuardEvent[], field: 'agent' | 'outcome'): string[] {
  return [...new Set(events.map((event) => event[field]))].sort();
}

function fitting(events: readonly GuardEvent[], wanted: Filter): GuardEvent[] {
  return events.filter(
    ({ guard, agent, outcome }) =>
      (wanted.guard === '' || guard === wanted.guard) &&
      (wanted.agent === '' || agent === wanted.agent) &&
      (wanted.outcome === '' || outcome === wanted.outcome),
  );
}

function GuardTable({ guards }: { guards: GuardsAnswer['guards'] }) {
  const order = (one: GuardsAnswer['guards'][number]) =>
    one.counts.refused + one.counts.restored + one.counts.warned + one.counts.waived + one.counts.watched;
  const sorted = [...guards].sort(
    (one, other) => order(other) - order(one) || one.id.localeCompare(other.id),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="scroll panel flat" aria-label="Guards and their counts" tabIndex={0}>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">Guard</th>
            <th scope="col">Mode</th>
            <th scope="col">From</th>
            <th scope="col">Refused</th>
            <th scope="col">Warned</th>
            <th scope="col">Restored</th>
            <th scope="col">Waived</th>
            <th scope="col" title="Objections that a person waived or whose work was approved later">
              False blocks
            </th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <a href={link(`guards/${encodeURIComponent(one.id)}`)}>{short(one.id, 60)}</a>
                <span class="quiet block">{short(one.summary, 140)}</span>
              </th>
              <td>
                <Badge word={one.mode} />
              </td>
              <td>{one.origin}</td>
              <Count value={one.counts.refused + one.counts.asked} />
              <Count value={one.counts.warned} />
              <Count value={one.counts.restored} />
              <Count value={one.counts.waived} />
              <td title={plural(one.wrong, 'wrong objection')}>
                {one.false_block_rate === null ? '–' : percent(one.false_block_rate)}
              </td>
              <td>
                <Time at={one.last_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Count({ value }: { value: number }) {
  return <td class={value === 0 ? 'zero' : ''}>{value}</td>;
}
