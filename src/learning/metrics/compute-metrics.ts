/** A time in milliseconds since 1970. */
interface Moment {
  at: number;
}

/** The input of the metrics, from the ledger. */
export interface MetricFacts {
  /** Claims by agents that unfinished work was done: refused, restored or overruled. */
  premature: readonly (Moment & { stopped: boolean })[];
  /** Prompts by people. */
  prompts: readonly Moment[];
  /** Features that became tested or were merged, at the latest time. */
  finished: readonly (Moment & { feature: string })[];
  /** Approximate tokens of the prompts that agents received. */
  promptSizes: readonly (Moment & { tokens: number })[];
  /** Lines of the files that describe the project's own agents. */
  agentFiles: readonly { file: string; lines: number }[];
  /** Mistakes per day, and how many of them were new. */
  mistakes: readonly (Moment & { times: number; first: number })[];
  /** Recorded actions per day, and how many were refused or warned about. */
  actions: readonly (Moment & { all: number; refused: number; warned: number })[];
}

/** A figure for the whole range and per period; null without data. */
export interface Series {
  total: number | null;
  periods: (number | null)[];
}

export interface Metrics {
  since: string;
  until: string;
  /** The start of each period. */
  periods: string[];
  /** How often an agent claimed unfinished work was done, and how often that was blocked. */
  premature_completions: { attempted: Series; blocked: Series };
  /** Prompts by people, in total and per finished feature. */
  user_prompts: { prompts: Series; features: Series; per_feature: Series };
  /** Average tokens per prompt, and the longest file of the project's own agents in lines. */
  prompt_size: { tokens: Series; longest_agent_file: { file: string; lines: number } | null };
  /** Mistakes, and the share of repeated ones. */
  repeated_mistakes: { mistakes: Series; repeated: Series; share: Series };
  /** Actions, those refused by a guard, and the share without a refusal. */
  compliance: { actions: Series; refused: Series; share: Series };
}

/** Computes the five metrics that show whether the rules work. */
export function computeMetrics(facts: MetricFacts, since: number, now: number): Metrics {
  const periods = periodsSince(since, now);
  const sum = <Item extends Moment>(items: readonly Item[], of: (item: Item) => number) =>
    sumSeries(periods, items, of);
  const one = () => 1;
  const attempted = sum(facts.premature, one);
  const blocked = sum(facts.premature, ({ stopped }) => (stopped ? 1 : 0));
  const prompts = sum(facts.prompts, one);
  const features = sum(facts.finished, one);
  const mistakes = sum(facts.mistakes, ({ times }) => times);
  const repeated = sum(facts.mistakes, ({ times, first }) => Math.max(0, times - first));
  const actions = sum(facts.actions, ({ all }) => all);
  const refused = sum(facts.actions, (day) => day.refused);
  const kept = sum(facts.actions, (day) => day.all - day.refused);
  return {
    since: new Date(since).toISOString(),
    until: new Date(now).toISOString(),
    periods: periods.map(({ from }) => new Date(from).toISOString()),
    premature_completions: { attempted, blocked },
    user_prompts: { prompts, features, per_feature: ratio(prompts, features) },
    prompt_size: {
      tokens: ratio(
        sum(facts.promptSizes, ({ tokens }) => tokens),
        sum(facts.promptSizes, one),
      ),
      longest_agent_file: [...facts.agentFiles].sort((a, b) => b.lines - a.lines)[0] ?? null,
    },
    repeated_mistakes: { mistakes, repeated, share: ratio(repeated, mistakes) },
    compliance: { actions, refused, share: ratio(kept, actions) },
  };
}

function sumSeries<Item extends Moment>(
  periods: readonly Period[],
  items: readonly Item[],
  of: (item: Item) => number,
): Series & { total: number } {
  const sums = periods.map(() => 0);
  for (const item of items) {
    const index = periodOf(periods, item.at);
    if (index >= 0) sums[index] = (sums[index] ?? 0) + of(item);
  }
  return { total: sums.reduce((all, one) => all + one, 0), periods: sums };
}

function ratio(above: Series, below: Series): Series {
  const divide = (one: number | null | undefined, other: number | null | undefined) =>
    one === null || one === undefined || !other ? null : Math.round((one / other) * 1000) / 1000;
  return {
    total: divide(above.total, below.total),
    periods: above.periods.map((one, index) => divide(one, below.periods[index])),
  };
}

/** A range of time, without its end, in milliseconds since 1970. */
interface Period {
  from: number;
  to: number;
}

const DAY_MS = 86_400_000;
const MAX_PERIODS = 14;

/** Splits the time until now into at most fourteen equal periods of whole days. */
export function periodsSince(since: number, now: number): Period[] {
  const days = Math.max(1, Math.ceil((now - since) / DAY_MS));
  const each = Math.ceil(days / MAX_PERIODS) * DAY_MS;
  const count = Math.ceil((days * DAY_MS) / each);
  return Array.from({ length: count }, (_, index) => ({
    from: index === 0 ? since : now - (count - index) * each,
    // Events at this very moment belong to the last period.
    to: index === count - 1 ? now + 1 : now - (count - index - 1) * each,
  }));
}

function periodOf(periods: readonly Period[], at: number): number {
  return periods.findIndex(({ from, to }) => at >= from && at < to);
}
