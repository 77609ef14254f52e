import type { FeatureAnswer } from '../../src/interfaces/dashboard/api/feature-schema.ts';
import { duration, plural, usd, words } from '../format.ts';
import { Badge, LongText, Time } from '../parts/basics.tsx';
import { GateTable } from '../parts/gates.tsx';
import { short } from '../printable.ts';
import { Checks } from './checks.tsx';
import { Diff } from './diff.tsx';

type Task = FeatureAnswer['tasks'][number];
type Turn = Task['turns'][number];

export function TurnDetails({
  project,
  feature,
  task,
  turn,
}: {
  project: string;
  feature: string;
  task: Task;
  turn: Turn;
}) {
  return (
    <div class="turn">
      <h3>
        Turn {turn.turn_number} <span class="quiet">{words(turn.mode)}</span> <Time at={turn.started_at} />
      </h3>
      <div class="sides">
        <Claimed turn={turn} />
        <Found turn={turn} />
      </div>
      <Coach turn={turn} />
      {turn.gates.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        <section class="scroll panel" aria-label="Gates" tabIndex={0}>
          <GateTable gates={turn.gates} />
        </section>
      )}
      <Spent turn={turn} />
      <Checks project={project} feature={feature} task={task.id} turn={turn.turn_number} />
      {turn.commit && <Diff project={project} feature={feature} task={task.id} turn={turn.turn_number} />}
    </div>
  );
}

function Claimed({ turn: { claimed, player_summary, cut_off } }: { turn: Turn }) {
  return (
    <div class="panel">
      <h4>The Player’s claim</h4>
      {claimed === null ? (
        <p class="quiet">
          {cut_off ? 'The Player has not reported.' : short(player_summary, 600) || 'No report.'}
        </p>
      ) : (
        <>
          <p>
            <Badge word={claimed.decision} />
          </p>
          <LongText text={claimed.summary} />
          <dl class="pairs">
            <dt>Tests</dt>
            <dd>
              {claimed.tests_passed === null
                ? 'not named'
                : `${claimed.tests_passed} passed, ${claimed.tests_failed ?? 0} failed`}
            </dd>
            <dt>Files</dt>
            <dd>{claimed.files.length === 0 ? 'none' : <Files files={claimed.files} />}</dd>
          </dl>
        </>
      )}
    </div>
  );
}

function Found({ turn }: { turn: Turn }) {
  const { false_claims, regressions, refused, restored, blockers_found } = turn;
  const tests =
    turn.tests_passed === null
      ? 'not counted'
      : `${turn.tests_passed} passed, ${turn.tests_failed ?? 0} failed`;
  return (
    <div class="panel">
      <h4>What GuardKit found</h4>
      <p>{short(turn.progress_summary, 400)}</p>
      {false_claims.map((claim) => (
        <p class="false" key={claim}>
          <span aria-hidden="true">✗ </span>
          {short(claim, 500)}
        </p>
      ))}
      {regressions.map((line) => (
        <p class="false" key={line}>
          <span aria-hidden="true">✗ </span>
          {short(line, 500)}
        </p>
      ))}
      <dl class="pairs">
        <dt>Tests</dt>
        <dd>{tests}</dd>
        <dt>Files</dt>
        <dd>{turn.files_modified.length === 0 ? 'none' : <Files files={turn.files_modified} />}</dd>
        {turn.coverage !== null && (
          <>
            <dt>Coverage</dt>
            <dd>{turn.coverage.toFixed(1)} %</dd>
          </>
        )}
        {turn.arch_score !== null && (
          <>
            <dt>Architecture</dt>
            <dd>{turn.arch_score}</dd>
          </>
        )}
        {refused > 0 && (
          <>
            <dt>Refused</dt>
            <dd>{plural(refused, 'action')}</dd>
          </>
        )}
        {restored.length > 0 && (
          <>
            <dt>Restored</dt>
            <dd>
              <Files files={restored} />
            </dd>
          </>
        )}
        {blockers_found.length > 0 && (
          <>
            <dt>Blockers</dt>
            <dd>{short(blockers_found.join('; '), 600)}</dd>
          </>
        )}
      </dl>
    </div>
  );
}

const MOST_FILES = 12;

function Files({ files }: { files: readonly string[] }) {
  return (
    <>
      {files.slice(0, MOST_FILES).map((file) => (
        <span class="file" key={file}>
          {short(file, 200)}
        </span>
      ))}
      {files.length > MOST_FILES && <span>and {files.length - MOST_FILES} more</span>}
    </>
  );
}

function Coach({ turn }: { turn: Turn }) {
  const { coach_said, coach_decision, overridden_because, coach_feedback, what_to_try_next } = turn;
  if (coach_decision === null && coach_said === null) return null;
  const changed = coach_said !== null && coach_said !== coach_decision;
  return (
    <div class="panel">
      <h4>
        The Coach’s verdict <Badge word={coach_said ?? 'none'} />
        {changed && (
          <>
            {' '}
            → <Badge word={coach_decision ?? 'none'} /> <span class="quiet">changed by GuardKit</span>
          </>
        )}
      </h4>
      {changed && overridden_because.length > 0 && (
        <ul class="plain-list">
          {overridden_because.map((line) => (
            <li class="false" key={line}>
              {short(line, 600)}
            </li>
          ))}
        </ul>
      )}
      <LongText text={ownWords(coach_feedback ?? '')} />
      {what_to_try_next && <LongText text={`Next: ${what_to_try_next}`} />}
    </div>
  );
}

/** Without the reasons that GuardKit adds for the next Player; they are shown above. */
function ownWords(feedback: string): string {
  const [own = ''] = feedback.split('\n\nGuardKit did not accept');
  return own;
}

const PARTS = ['planner', 'player', 'gates', 'coach', 'guardkit'] as const;

/** Where the time of a turn went. */
function Spent({ turn: { parts, seconds, cost_usd } }: { turn: Turn }) {
  const total = PARTS.reduce((sum, part) => sum + parts[part].seconds, 0);
  if (total === 0) return null;
  return (
    <div class="spent">
      <div class="share" aria-hidden="true">
        {PARTS.map((part) => (
          <span key={part} class={part} style={{ flexGrow: parts[part].seconds / total }} />
        ))}
      </div>
      <ul>
        {PARTS.filter((part) => parts[part].seconds > 0).map((part) => (
          <li key={part}>
            <span class={`dot ${part}`} aria-hidden="true" />
            {part} {duration(parts[part].seconds)}
            {usd(parts[part].usd) && `, ${usd(parts[part].usd)}`}
          </li>
        ))}
        <li class="quiet">
          in all {duration(seconds)}
          {usd(cost_usd) && `, ${usd(cost_usd)}`}
        </li>
      </ul>
    </div>
  );
}
