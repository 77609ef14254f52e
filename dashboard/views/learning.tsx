import { useState } from 'preact/hooks';
import type { LearningAnswer, Metrics, Series } from '../../src/interfaces/dashboard/api/learning-schema.ts';
import { link } from '../addresses.ts';
import { percent, plural, words } from '../format.ts';
import { Badge, Command, Empty, Section, Shown, Time } from '../parts/basics.tsx';
import { Choice } from '../parts/choice.tsx';
import { Plot } from '../parts/plot.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';

const DAYS = { '7': '7 days', '30': '30 days', '90': '90 days', '365': '1 year' } as const;

/** Success metrics, patterns, and guards proposed from them. */
export function Learning({ project }: { project: string }) {
  const [days, setDays] = useState('30');
  const reading = useRead<LearningAnswer>('learning', { project, days }, { keep: true });
  return (
    <Shown reading={reading}>
      {({ metrics, patterns, proposals }) => (
        <>
          <h1 class="hidden">Learning</h1>
          <div class="bar">
            <Choice label="Time" value={days} options={DAYS} onChange={setDays} />
          </div>
          <Section title="Do the rules work?">
            <Figures metrics={metrics} />
          </Section>
          <Section title="Patterns" count={patterns.length}>
            {patterns.length === 0 ? (
              <Empty>No mistake was repeated often enough to be a pattern.</Empty>
            ) : (
              <ul class="cards">
                {patterns.map((one) => (
                  <PatternCard key={one.pattern_id} one={one} />
                ))}
              </ul>
            )}
          </Section>
          <Section title="Proposed and learned guards" count={proposals.length}>
            {proposals.length === 0 ? (
              <Empty>
                No guard was proposed yet. <code>guardkit guard propose</code> lists patterns to make one
                from.
              </Empty>
            ) : (
              <ul class="cards">
                {proposals.map((one) => (
                  <ProposalCard key={one.guard_id} one={one} />
                ))}
              </ul>
            )}
          </Section>
        </>
      )}
    </Shown>
  );
}

const count = (value: number) => (Number.isInteger(value) ? value.toLocaleString() : value.toFixed(1));

function Figures({ metrics }: { metrics: Metrics }) {
  const {
    premature_completions: done,
    user_prompts: prompts,
    prompt_size: size,
    repeated_mistakes: mistakes,
    compliance,
  } = metrics;
  const file = size.longest_agent_file;
  return (
    <div class="figures">
      <Figure
        title="Compliance"
        note={`${compliance.actions.total ?? 0} actions, ${compliance.refused.total ?? 0} refused`}
        series={compliance.share}
        periods={metrics.periods}
        format={percent}
        whole
      />
      <Figure
        title="Premature completions"
        note={`${done.blocked.total ?? 0} of ${done.attempted.total ?? 0} stopped`}
        series={done.attempted}
        periods={metrics.periods}
        format={count}
      />
      <Figure
        title="Repeated mistakes"
        note={`of ${mistakes.mistakes.total ?? 0} mistakes`}
        series={mistakes.share}
        periods={metrics.periods}
        format={percent}
        whole
      />
      <Figure
        title="Your prompts per feature"
        note={`${plural(prompts.prompts.total ?? 0, 'prompt')}, ${plural(prompts.features.total ?? 0, 'feature')} done`}
        series={prompts.per_feature}
        periods={metrics.periods}
        format={count}
      />
      <Figure
        title="Size of prompts in tokens"
        note={file === null ? 'on average' : `on average; longest agent file ${file.lines} lines`}
        series={size.tokens}
        periods={metrics.periods}
        format={(value) => (value >= 1000 ? `${(value / 1000).toFixed(1)}k` : value.toFixed(0))}
      />
    </div>
  );
}

function Figure({
  title,
  note,
  series,
  periods,
  format,
  whole = false,
}: {
  title: string;
  note: string;
  series: Series;
  periods: readonly string[];
  format(value: number): string;
  whole?: boolean;
}) {
  return (
    <figure class="panel figure">
      <figcaption>
        <span class="figure-name">{title}</span>
        <strong class="figure-value">{series.total === null ? '–' : format(series.total)}</strong>
        <span class="quiet">{note}</span>
      </figcaption>
      {series.total === null ? (
        <Empty>Nothing to measure yet.</Empty>
      ) : (
        <Plot title={title} periods={periods} values={series.periods} format={format} whole={whole} />
      )}
    </figure>
  );
}

function PatternCard({ one }: { one: LearningAnswer['patterns'][number] }) {
  return (
    <li class="card">
      <header>
        <Badge word={one.trend} />
        <a class="name" href={link(`episode/-/${encodeURIComponent(one.pattern_id)}`)}>
          {short(one.what, 240)}
        </a>
        <Time at={one.last_at} />
      </header>
      <p class="quiet">
        {plural(one.count, 'time')} by {short(one.agent, 40)} in {plural(one.sessions, 'session')}
        {one.features.length > 0 && `, ${short(one.features.slice(-4).join(', '), 120)}`}
        {one.guard !== null && (
          <>
            , against <a href={link(`guards/${encodeURIComponent(one.guard)}`)}>{one.guard}</a>
          </>
        )}
      </p>
      {one.correct[0] && <p>Instead: {short(one.correct[0], 300)}</p>}
      <ul class="plain-list">
        {one.suggests.map(({ what, why }) => (
          <li key={what}>
            {words(what)}: {short(why, 240)}
          </li>
        ))}
      </ul>
      {one.suggests.some(({ what }) => what === 'new_guard') && (
        <Command text={`guardkit guard propose ${one.pattern_id}`} />
      )}
    </li>
  );
}

function ProposalCard({ one }: { one: LearningAnswer['proposals'][number] }) {
  const { fired, violations, approved, actions } = one.backtest;
  return (
    <li class="card">
      <header>
        <Badge word={one.mode} />
        <a class="name" href={link(`guards/${encodeURIComponent(one.guard_id)}`)}>
          {short(one.summary, 240)}
        </a>
        <Time at={one.mode_since} />
      </header>
      <p class="quiet">
        Would have refused {fired} of {plural(actions, 'recorded action')}: {violations} rightly, {approved}{' '}
        wrongly.
      </p>
      {one.mode !== 'enforce' && <Command text={`guardkit guard promote ${one.guard_id}`} />}
    </li>
  );
}
