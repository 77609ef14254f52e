import { useMemo } from 'preact/hooks';
import { plural } from '../format.ts';

const DAY_MS = 24 * 60 * 60_000;
const BARS = 30;
const TONES = [
  ['bad', ['refused', 'asked']],
  ['warn', ['warned', 'restored', 'found']],
  ['calm', ['waived', 'watched']],
] as const;

interface Counted {
  at: string;
  outcome: string;
}

/** Events over time, stacked by outcome. */
export function DayBars({ events, days }: { events: readonly Counted[]; days: number }) {
  const bars = useMemo(() => countBars(events, days), [events, days]);
  const highest = Math.max(1, ...bars.map(({ counts }) => counts.reduce((sum, one) => sum + one, 0)));
  return (
    <figure class="day-bars">
      <div class="bars" aria-hidden="true">
        {bars.map(({ from, counts }) => (
          <div class="bar-of-day" key={from} title={titleOf(from, counts)}>
            {counts.map((count, index) => (
              <span
                key={TONES[index]?.[0]}
                class={`part ${TONES[index]?.[0]}`}
                style={{ height: `${(count / highest) * 100}%` }}
              />
            ))}
          </div>
        ))}
      </div>
      <figcaption class="quiet">
        <span>{new Date(bars[0]?.from ?? Date.now()).toLocaleDateString()}</span>
        <span class="keys">
          <span class="key bad">refused</span> <span class="key warn">warned or restored</span>{' '}
          <span class="key calm">waived or watched</span>
        </span>
        <span>today</span>
      </figcaption>
    </figure>
  );
}

function countBars(events: readonly Counted[], days: number): { from: number; counts: number[] }[] {
  const count = Math.min(BARS, Math.max(days, 24));
  const length = (days * DAY_MS) / count;
  const start = Date.now() - days * DAY_MS;
  const bars = Array.from({ length: count }, (_, index) => ({
    from: start + index * length,
    counts: TONES.map(() => 0),
  }));
  for (const { at, outcome } of events) {
    const bar = bars[Math.min(count - 1, Math.floor((Date.parse(at) - start) / length))];
    const tone = TONES.findIndex(([, outcomes]) => (outcomes as readonly string[]).includes(outcome));
    if (bar && tone >= 0) bar.counts[tone] = (bar.counts[tone] ?? 0) + 1;
  }
  return bars;
}

function titleOf(from: number, counts: readonly number[]): string {
  const [refused = 0, warned = 0, waived = 0] = counts;
  return `${new Date(from).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}: ${plural(refused, 'refusal')}, ${warned} warned or restored, ${waived} waived or watched`;
}
