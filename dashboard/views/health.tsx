import type { HealthAnswer } from '../../src/interfaces/dashboard/api/schemas.ts';
import { duration, plural } from '../format.ts';
import { Empty, Section, Shown, Time } from '../parts/basics.tsx';
import { Outcome } from '../parts/gates.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';

export function Health({ project }: { project: string }) {
  // Not on every change: it starts every hook, and so changes the ledger itself.
  const reading = useRead<HealthAnswer>('health', { project }, { live: false });
  return (
    <Shown reading={reading} waiting="Testing the hooks and checking everything they depend on…">
      {(health) => (
        <>
          <h1 class="hidden">Health</h1>
          <Verdict health={health} loading={reading.loading} reload={reading.reload} />
          {health.doctor && (
            <Section title="Checks" count={health.doctor.checks.length}>
              <Checks checks={health.doctor.checks} />
            </Section>
          )}
          {health.doctor && health.doctor.improve.length > 0 && (
            <Section title="To fix">
              <ul class="plain-list">
                {health.doctor.improve.map((line) => (
                  <li key={line}>{short(line, 600)}</li>
                ))}
              </ul>
            </Section>
          )}
          {health.doctor && (
            <Section title="Not protected">
              <ul class="plain-list">
                {health.doctor.notProtected.map((line) => (
                  <li key={line}>{short(line, 600)}</li>
                ))}
              </ul>
            </Section>
          )}
          <Facts health={health} />
        </>
      )}
    </Shown>
  );
}

function Verdict({
  health: { doctor, at, seconds, checkout },
  loading,
  reload,
}: {
  health: HealthAnswer;
  loading: boolean;
  reload(): void;
}) {
  return (
    <div class={`verdict ${doctor ? (doctor.ok ? 'good' : 'bad') : 'plain'}`}>
      <div>
        <strong>
          {doctor === null
            ? 'No checkout of this project was found on this machine.'
            : doctor.ok
              ? 'All checks passed.'
              : 'Some checks failed.'}
        </strong>
        {doctor && <p>{short(doctor.says, 800)}</p>}
        <p class="quiet">
          <code>guardkit doctor</code>
          {checkout ? <> in {short(checkout, 200)}</> : null}, <Time at={at} />, took {duration(seconds)}
        </p>
      </div>
      <button type="button" onClick={reload} disabled={loading}>
        {loading ? 'Checking…' : 'Check again'}
      </button>
    </div>
  );
}

function Checks({ checks }: { checks: NonNullable<HealthAnswer['doctor']>['checks'] }) {
  const order = { fail: 0, absent: 1, pass: 2 };
  const shown = [...checks].sort((one, other) => order[one.outcome] - order[other.outcome]);
  if (shown.length === 0) return <Empty>No checks.</Empty>;
  return (
    <ul class="lines">
      {shown.map(({ id, outcome, found, lines = [], hint }) => (
        <li key={id}>
          <Outcome result={outcome} />
          <strong class="check-name">{id}</strong>
          <div class="grow">
            {short(found, 600)}
            {lines.map((line) => (
              <div class="quiet" key={line}>
                {short(line, 400)}
              </div>
            ))}
            {hint && outcome !== 'pass' && <div class="hint">{short(hint, 600)}</div>}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Facts({ health: { ledger, process } }: { health: HealthAnswer }) {
  const rows: [string, string][] = [
    ['GuardKit', process.version],
    ['Node', process.node],
    ['Process', `${process.pid}, up ${duration(process.uptime_seconds)}, ${process.memory_mb} MB`],
    ['Ledger', ledger.path],
    ['Entries', `${ledger.entries.toLocaleString()}, the last ${ledger.hash.slice(0, 12)}`],
    [
      'Memory',
      ledger.undelivered === 0
        ? 'up to date'
        : `${plural(ledger.undelivered, 'entry', 'entries')} not delivered yet`,
    ],
  ];
  return (
    <Section title="This installation">
      <dl class="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{short(value, 300)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
