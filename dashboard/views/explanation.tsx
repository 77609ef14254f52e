import type { ComponentChildren } from 'preact';
import type { FeatureAnswer } from '../../src/interfaces/dashboard/api/feature-schema.ts';
import { plural } from '../format.ts';
import { short } from '../printable.ts';

type Explained = NonNullable<FeatureAnswer['tasks'][number]['explanation']>;

/** The explanation of `guardkit explain`. */
export function Explanation({ explanation }: { explanation: Explained }) {
  const { turns, approved_in, what_to_change } = explanation;
  const causes = causesOf(explanation.causes);
  return (
    <div class="panel">
      <h3>
        Why it took {plural(turns, 'turn')}
        {approved_in === null ? ' so far' : ''}
      </h3>
      {causes.length === 0 ? (
        <p class="quiet">No obstacles.</p>
      ) : (
        <ul class="plain-list">
          {causes.map((cause) => (
            <li key={String(cause)}>{short(cause, 800)}</li>
          ))}
        </ul>
      )}
      <h3>{approved_in === null ? 'What to change' : 'Next'}</h3>
      <ul class="plain-list">
        {what_to_change.map((step) => (
          <li key={step}>{withCode(short(step, 1200))}</li>
        ))}
      </ul>
    </div>
  );
}

function causesOf(causes: Explained['causes']): string[] {
  const inTurns = (turns: readonly number[]) =>
    `${turns.length === 1 ? 'turn' : 'turns'} ${turns.join(', ')}`;
  return [
    ...causes.repeated_feedback.map(
      ({ feedback, turns }) => `The same feedback in ${inTurns(turns)}: ${feedback}`,
    ),
    ...causes.moved_back.map(
      ({ criterion, verified_in, lost_in, why }) =>
        `${criterion} is no longer verified: verified in turn ${verified_in}, lost in turn ${lost_in}${why ? ` (${why})` : ''}`,
    ),
    ...causes.blocked_criteria.map((id) => `${id} cannot be met as written`),
    ...causes.gates.map(
      ({ gate, turns, reason }) => `The gate ${gate} did not pass in ${inTurns(turns)}: ${reason}`,
    ),
    ...causes.overridden_approvals.map(
      ({ turn, because }) => `The Coach approved turn ${turn} without evidence: ${because.join('; ')}`,
    ),
    ...causes.blockers.map(({ text, turns }) => `A blocker in ${inTurns(turns)}: ${text}`),
    ...causes.false_claims.map(
      ({ turn, claims }) => `The Player made false claims in turn ${turn}: ${claims.join(' ')}`,
    ),
    ...causes.no_report.map((turn) => `The Player gave no report in turn ${turn}`),
    ...causes.no_verdict.map((turn) => `The Coach gave no verdict in turn ${turn}`),
    ...causes.cut_off.map((turn) => `Turn ${turn} was cut off`),
  ];
}

/** Text between backticks as code. */
function withCode(text: string): ComponentChildren {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}
