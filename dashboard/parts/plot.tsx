import { useId } from 'preact/hooks';

const WIDTH = 320;
const HEIGHT = 120;
const LEFT = 42;
const BOTTOM = 18;
const TOP = 8;

/**
 * A figure over time as a line. A table would be hidden in a canvas; here the text alternative lists every value, and
 * colours follow the theme.
 */
export function Plot({
  title,
  periods,
  values,
  format,
  whole = false,
}: {
  title: string;
  /** ISO 8601, the start of each. */
  periods: readonly string[];
  values: readonly (number | null)[];
  format(value: number): string;
  /** From 0 to 1. */
  whole?: boolean;
}) {
  const id = useId();
  const known = values.filter((value) => value !== null);
  const highest = whole ? 1 : Math.max(1, ...known);
  const x = (index: number) => LEFT + (index * (WIDTH - LEFT - 8)) / Math.max(1, periods.length - 1);
  const y = (value: number) => TOP + (1 - value / highest) * (HEIGHT - TOP - BOTTOM);
  const day = (iso: string | undefined) =>
    iso === undefined ? '' : new Date(iso).toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
  return (
    <svg class="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title id={id}>
        {`${title}: ${values.map((value, index) => `${day(periods[index])} ${value === null ? 'nothing' : format(value)}`).join(', ')}`}
      </title>
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line class="grid" x1={LEFT} x2={WIDTH - 8} y1={y(share * highest)} y2={y(share * highest)} />
          <text class="axis" x={LEFT - 5} y={y(share * highest) + 3} text-anchor="end">
            {format(share * highest)}
          </text>
        </g>
      ))}
      <text class="axis" x={LEFT} y={HEIGHT - 4}>
        {day(periods[0])}
      </text>
      <text class="axis" x={WIDTH - 8} y={HEIGHT - 4} text-anchor="end">
        {day(periods.at(-1))}
      </text>
      {runs(values).map((run) => (
        <polyline
          key={run[0]?.index}
          class="curve"
          points={run.map(({ index, value }) => `${x(index)},${y(value)}`).join(' ')}
        />
      ))}
      {values.map((value, index) =>
        value === null ? null : (
          <circle key={periods[index]} class="point" cx={x(index)} cy={y(value)} r="2.6">
            <title>{`${day(periods[index])}: ${format(value)}`}</title>
          </circle>
        ),
      )}
    </svg>
  );
}

/** The line is interrupted where nothing was measured. */
function runs(values: readonly (number | null)[]): { index: number; value: number }[][] {
  const found: { index: number; value: number }[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) found.push([]);
    else found.at(-1)?.push({ index, value });
  }
  return found.filter((run) => run.length > 1);
}
