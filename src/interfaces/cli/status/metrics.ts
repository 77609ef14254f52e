import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { computeMetrics, type Metrics, type Series } from '../../../learning/metrics/compute-metrics.ts';
import { gatherMetricFacts } from '../../../learning/metrics/gather-metric-facts.ts';
import { extractPatterns } from '../../../learning/patterns/extract-patterns.ts';
import { deliverToMemory } from '../../../store/ledger/outbox/deliver-to-memory.ts';
import { openLearning } from '../guard/open-learning.ts';
import { pastTime } from '../input/time-input.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';

export const metrics = defineCommand({
  name: 'metrics',
  summary: 'Show compliance, premature claims and repeated mistakes',
  options: [['--since <time>', 'Start date, or an age such as 7d (default: 30d)']],
  schema: z.object({
    since: z.string().default('30d'),
  }),
  run: runMetrics,
});

async function runMetrics(context: CliContext, { since }: { since: string }): Promise<Report> {
  const { ledger, project, root, now, settings } = await openLearning(context);
  const from = momentOf(since, now);
  const { store: storeSettings } = await context.workspace();
  const away = await deliverToMemory(ledger, storeSettings);
  if (away === undefined)
    await extractPatterns({ ledger, store: await context.store(), project, thresholds: settings.thresholds });
  const metrics = computeMetrics(gatherMetricFacts(ledger, project, root, from), from, now);
  return {
    json: metrics,
    text: describe(metrics, context.width),
    notices: away === undefined ? [] : [`Repeated mistakes may be out of date: ${away}`],
  };
}

function momentOf(since: string, now: number): number {
  const at = Date.parse(pastTime(since, now));
  if (at < now) return Math.max(0, at);
  throw new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `--since ${since}: not a time in the past.`,
    hint: 'Use a date such as 2026-03-01, or an age such as 7d or 12w.',
  });
}

function describe(metrics: Metrics, width: number): string {
  const { premature_completions: done, user_prompts, prompt_size, repeated_mistakes, compliance } = metrics;
  const file = prompt_size.longest_agent_file;
  const rows: [name: string, series: Series, said: string][] = [
    [
      'premature completions',
      done.attempted,
      `${done.attempted.total ?? 0} attempted, ${done.blocked.total ?? 0} stopped`,
    ],
    [
      'prompts per feature',
      user_prompts.per_feature,
      `${shown(user_prompts.per_feature.total, (each) => each.toFixed(1))} (${plural(user_prompts.prompts.total ?? 0, 'prompt')}, ${plural(user_prompts.features.total ?? 0, 'feature')} done)`,
    ],
    [
      'prompt size',
      prompt_size.tokens,
      `${shown(prompt_size.tokens.total, (tokens) => `${tokens.toFixed(0)} tokens on average`)}${file === null ? '' : `; longest agent file ${file.lines} lines`}`,
    ],
    [
      'repeated mistakes',
      repeated_mistakes.share,
      shown(
        repeated_mistakes.share.total,
        (share) => `${percent(share)} of ${repeated_mistakes.mistakes.total ?? 0} had been made before`,
      ),
    ],
    [
      'compliance',
      compliance.share,
      shown(
        compliance.share.total,
        (share) =>
          `${percent(share)} of ${compliance.actions.total ?? 0} actions needed no refusal; ${compliance.refused.total ?? 0} were refused`,
      ),
    ],
  ];
  return [
    `${metrics.since.slice(0, 10)} to ${metrics.until.slice(0, 10)}`,
    ...rows.map(
      ([name, series, said]) =>
        `  ${name.padEnd(22)}${oneLine(`${sparkline(series.periods)} ${said}`, width - 24)}`,
    ),
  ].join('\n');
}

function shown(value: number | null, say: (value: number) => string): string {
  return value === null ? 'nothing to measure yet' : say(value);
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

const BARS = '▁▂▃▄▅▆▇█';

/** One bar per period, scaled to the highest; a dot if there is nothing to measure. */
export function sparkline(values: readonly (number | null)[]): string {
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  return values
    .map((value) => {
      if (value === null) return '·';
      const level = highest === 0 ? 0 : Math.round((value / highest) * (BARS.length - 1));
      return BARS[level] ?? '';
    })
    .join('');
}
