import { useState } from 'preact/hooks';
import type { ChecksAnswer } from '../../src/interfaces/dashboard/api/schemas.ts';
import { bytes, duration } from '../format.ts';
import { Empty, Shown } from '../parts/basics.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';

interface TurnName {
  project: string;
  feature: string;
  task: string;
  turn: number;
}

/** What GuardKit ran in a turn, with the output; read when it is opened. */
export function Checks(name: TurnName) {
  const [open, setOpen] = useState(false);
  return (
    <details class="panel logs" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Logs: what GuardKit ran</summary>
      {open && <Runs {...name} />}
    </details>
  );
}

function Runs(name: TurnName) {
  const reading = useRead<ChecksAnswer>('checks', { ...name, turn: String(name.turn) });
  return (
    <Shown reading={reading}>
      {({ checks }) =>
        checks.length === 0 ? (
          <Empty>GuardKit ran nothing in this turn; it reused the results for the same files.</Empty>
        ) : (
          checks.map((one) => (
            <details key={`${one.check} ${one.at}`} open={!one.ok}>
              <summary>
                <span class={one.ok ? 'icon good' : 'icon bad'}>
                  <span aria-hidden="true">{one.ok ? '✓' : '✗'}</span>
                  <span class="hidden">{one.ok ? 'passed' : 'failed'}</span>
                </span>{' '}
                {short(one.check, 120)}: {short(one.found, 200)}{' '}
                <span class="quiet">{duration(one.seconds)}</span>
              </summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
              <pre class="source" tabIndex={0}>
                {`$ ${short(one.command, 2000)}\n`}
                {one.output.length < one.output_bytes && `… (${bytes(one.output_bytes)} in all)\n`}
                {one.output}
              </pre>
            </details>
          ))
        )
      }
    </Shown>
  );
}
