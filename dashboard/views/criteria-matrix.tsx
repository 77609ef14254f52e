import type { FeatureAnswer } from '../../src/interfaces/dashboard/api/feature-schema.ts';
import { words } from '../format.ts';
import { short } from '../printable.ts';

type Task = FeatureAnswer['tasks'][number];

const ICONS: Readonly<Record<string, [icon: string, tone: string]>> = {
  verified: ['✓', 'good'],
  rejected: ['✗', 'bad'],
  failed: ['✗', 'bad'],
  blocked: ['✗', 'bad'],
  in_progress: ['○', 'warn'],
  pending: ['○', 'plain'],
};

/** Criteria by turns: what each turn verified or lost. */
export function CriteriaMatrix({ task, shown }: { task: Task; shown: number }) {
  const named = task.criteria.map(({ id }) => id);
  const seen = task.turns.flatMap((turn) => Object.keys(turn.acceptance_criteria_status));
  const ids = [...new Set([...named, ...seen])];
  if (ids.length === 0) return null;
  const texts = new Map(task.criteria.map(({ id, text }) => [id, text]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="scroll" aria-label="Criteria by turn" tabIndex={0}>
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">Criterion</th>
            {task.turns.map(({ turn_number }) => (
              <th scope="col" key={turn_number} class={turn_number === shown ? 'shown' : ''}>
                T{turn_number}
              </th>
            ))}
            <th scope="col">Proved by</th>
          </tr>
        </thead>
        <tbody>
          {ids.map((id) => (
            <tr key={id}>
              <th scope="row">
                <strong>{short(id, 60)}</strong> {short(texts.get(id) ?? '', 300)}
              </th>
              {task.turns.map((turn) => {
                const status = turn.acceptance_criteria_status[id] ?? 'pending';
                const [icon, tone] = ICONS[status] ?? ['○', 'plain'];
                const lost = turn.moved[id] === 'back';
                return (
                  <td
                    key={turn.turn_number}
                    class={turn.turn_number === shown ? 'shown' : ''}
                    title={`${words(status)}${lost ? ', was verified before' : ''}`}
                  >
                    <span class={`icon ${tone}`} aria-hidden="true">
                      {icon}
                      {lost ? '↓' : ''}
                    </span>
                    <span class="hidden">{words(status)}</span>
                  </td>
                );
              })}
              <td class="proof">
                {short(task.turns.findLast((turn) => turn.evidence[id])?.evidence[id] ?? '', 200)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
