import { short } from '../printable.ts';

export interface ShownGate {
  gate: string;
  result: 'pass' | 'fail' | 'absent';
  required: boolean | null;
  reason: string;
}

const ICONS = { pass: '✓', fail: '✗', absent: '○' } as const;
const WORDS = { pass: 'passed', fail: 'failed', absent: 'absent' } as const;
const TONES = { pass: 'good', fail: 'bad', absent: 'plain' } as const;

export function Outcome({ result }: { result: ShownGate['result'] }) {
  return (
    <span class={`icon ${TONES[result]}`}>
      <span aria-hidden="true">{ICONS[result]}</span>
      <span class="hidden">{WORDS[result]}</span>
    </span>
  );
}

/** Gates in one line; optional ones without a result are left out. */
export function Gates({ gates }: { gates: readonly ShownGate[] }) {
  const shown = gates.filter(({ result, required }) => result !== 'absent' || required === true);
  if (shown.length === 0) return null;
  return (
    <ul class="gates" aria-label="Gates">
      {shown.map(({ gate, result, reason }) => (
        <li key={gate} title={short(reason, 300)}>
          <Outcome result={result} /> {short(gate, 60)}
        </li>
      ))}
    </ul>
  );
}

/** Gates with their reasons, those that did not pass first. */
export function GateTable({ gates }: { gates: readonly ShownGate[] }) {
  const order = { fail: 0, absent: 2, pass: 1 };
  const rank = ({ result, required }: ShownGate) => (result === 'absent' && required ? 0 : order[result]);
  const shown = [...gates].sort((one, other) => rank(one) - rank(other));
  return (
    <table class="gate-table">
      <thead>
        <tr>
          <th scope="col">Gate</th>
          <th scope="col">Result</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ gate, result, required, reason }) => (
          <tr key={gate} class={result === 'absent' && !required ? 'faint' : ''}>
            <th scope="row">{short(gate, 60)}</th>
            <td>
              <Outcome result={result} /> {WORDS[result]}
              {required === false && <span class="quiet"> (optional)</span>}
            </td>
            <td>{short(reason, 600)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
