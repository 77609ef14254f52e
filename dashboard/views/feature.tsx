import type { FeatureAnswer } from '../../src/interfaces/dashboard/api/feature-schema.ts';
import { link } from '../addresses.ts';
import { duration, plural, usd, words } from '../format.ts';
import { Badge, Command, Empty, LongText, Section, Shown } from '../parts/basics.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';
import { CriteriaMatrix } from './criteria-matrix.tsx';
import { Explanation } from './explanation.tsx';
import { TurnDetails } from './turn.tsx';

type Task = FeatureAnswer['tasks'][number];

/** `#/feature/FEAT-1`, `#/feature/FEAT-1/turn/2`, `#/feature/FEAT-1/TASK-2/turn/2`. */
export function FeatureView({ project, id, path }: { project: string; id: string; path: readonly string[] }) {
  const reading = useRead<FeatureAnswer>('feature', { project, id });
  const at = path.indexOf('turn');
  const wantedTask = at === 1 ? path[0] : undefined;
  const wantedTurn = at === -1 ? undefined : Number(path[at + 1]);
  return (
    <Shown reading={reading}>
      {(feature) => (
        <>
          <Head feature={feature} />
          {feature.tasks.map((task) => (
            <TaskSection
              key={task.id}
              project={project}
              feature={feature}
              task={task}
              wanted={wantedTask === undefined || wantedTask === task.id ? wantedTurn : undefined}
            />
          ))}
        </>
      )}
    </Shown>
  );
}

function Head({ feature }: { feature: FeatureAnswer }) {
  const turns = feature.tasks.flatMap((task) => task.turns);
  const seconds = turns.reduce((sum, turn) => sum + turn.seconds, 0);
  const cost = turns.reduce((sum, turn) => sum + (turn.cost_usd ?? 0), 0);
  const last = feature.builds.at(-1);
  return (
    <div class="feature-head">
      <p class="crumbs">
        <a href={link('features')}>Features</a> / {feature.id}
      </p>
      <h1>{short(feature.name, 300)}</h1>
      <p class="meta">
        <Badge word={feature.status} />
        {feature.tested && <Badge word="tested" />}
        <span>priority {feature.priority}</span>
        <span>{plural(turns.length, 'turn')}</span>
        {seconds > 0 && <span>{duration(seconds)}</span>}
        {usd(cost) && <span>{usd(cost)}</span>}
        {last && (
          <span>
            {plural(feature.builds.length, 'build')}, the last{' '}
            {last.outcome === null ? 'not ended' : words(last.outcome)}
          </span>
        )}
        {feature.path && <span class="path">{short(feature.path, 200)}</span>}
      </p>
      <LongText text={feature.description} />
      {feature.dependencies.length > 0 && (
        <p>
          Depends on{' '}
          {feature.dependencies.map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <a href={link(`feature/${id}`)}>{id}</a>
            </span>
          ))}
        </p>
      )}
      {feature.status === 'blocked' && (
        <div class="problem">
          <strong>{short(feature.blocked_reason ?? 'Blocked', 800)}</strong>
          <span>Answer it in the feature’s file, then:</span>
          <Command text={`guardkit feature unblock ${feature.id} --reason "…"`} />
        </div>
      )}
      {feature.attempts.length > 0 && (
        <details>
          <summary>{plural(feature.attempts.length, 'failed attempt')}</summary>
          {feature.attempts.map(({ attempt, outcome, why, tried }) => (
            <div class="attempt" key={attempt}>
              <h3>
                Attempt {attempt} <Badge word={outcome} />
              </h3>
              <LongText text={why} />
              {tried !== '' && <LongText text={`Tried: ${tried}`} />}
            </div>
          ))}
        </details>
      )}
      {feature.notes !== '' && (
        <details>
          <summary>Notes</summary>
          <LongText text={feature.notes} />
        </details>
      )}
    </div>
  );
}

function TaskSection({
  project,
  feature,
  task,
  wanted,
}: {
  project: string;
  feature: FeatureAnswer;
  task: Task;
  wanted: number | undefined;
}) {
  const shown = task.turns.find((turn) => turn.turn_number === wanted) ?? task.turns.at(-1);
  const isWhole = task.id === feature.id;
  return (
    <Section title={isWhole ? 'Turns' : `${task.id}: ${short(task.title, 200)}`} count={task.turns.length}>
      {shown === undefined ? (
        <>
          <Empty>Not built yet.</Empty>
          <Command text={`guardkit feature-build ${feature.id}`} />
          {task.criteria.length > 0 && (
            <ul class="plain-list">
              {task.criteria.map(({ id, text }) => (
                <li key={id}>
                  <strong>{id}</strong> {short(text, 400)}
                </li>
              ))}
            </ul>
          )}
        </>
      ) : (
        <>
          <ol class="timeline" aria-label="Turns">
            {task.turns.map((turn) => (
              <li key={turn.turn_number}>
                <a
                  href={link(`feature/${feature.id}/${isWhole ? '' : `${task.id}/`}turn/${turn.turn_number}`)}
                  aria-current={turn === shown ? 'step' : undefined}
                >
                  <span class="number">Turn {turn.turn_number}</span>
                  <Badge word={decisionOf(turn)} />
                  <span class="quiet">
                    {duration(turn.seconds)}
                    {usd(turn.cost_usd) && `, ${usd(turn.cost_usd)}`}
                    {turn.before_reset && ', before the reset'}
                  </span>
                </a>
              </li>
            ))}
          </ol>
          <CriteriaMatrix task={task} shown={shown.turn_number} />
          <TurnDetails key={shown.id} project={project} feature={feature.id} task={task} turn={shown} />
          {task.explanation && <Explanation explanation={task.explanation} />}
        </>
      )}
    </Section>
  );
}

function decisionOf({ coach_decision, cut_off, completed_at }: Task['turns'][number]): string {
  if (cut_off) return completed_at === null ? 'running' : 'cancelled';
  return coach_decision ?? 'no verdict';
}
