import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { statusOf } from '../turns/criterion-status.ts';
import { isSameFeedback } from '../turns/decide-stop.ts';
import type { TimelineTurn } from './task-timeline.ts';

const NUMBER = /^[Tt]?(\d{1,9})$/;
const SHORT = /^TURN-(.+)-(\d{1,9})$/;

/** The turn with this name: `TURN-FEAT-TASK-T2`, `TURN-FEAT-2`, or, within one task, `T2` or `2`. */
export function findTurn(turns: readonly TimelineTurn[], name: string): TimelineTurn {
  const found = matches(turns, name);
  const [first, second] = found;
  if (!first) throw unknownTurn(turns, name);
  if (second) throw severalTurns(found, name);
  return first;
}

function matches(turns: readonly TimelineTurn[], name: string): TimelineTurn[] {
  const exact = turns.filter(({ id }) => id === name);
  if (exact.length > 0) return exact;
  const number = NUMBER.exec(name)?.[1];
  if (number !== undefined) return turns.filter(({ turn }) => turn.turn_number === Number(number));
  const [, feature, last] = SHORT.exec(name) ?? [];
  return turns.filter(({ turn }) => turn.feature_id === feature && turn.turn_number === Number(last));
}

function unknownTurn(turns: readonly TimelineTurn[], name: string): GuardKitError {
  const near = nearestWord(
    name,
    turns.map(({ id }) => id),
  );
  return new GuardKitError({
    code: 'turns.unknown',
    kind: 'input',
    message: `Unknown turn ${name.slice(0, 200)}.${didYouMean(near)}`,
    hint:
      turns.length === 0
        ? 'Nothing was built in this project yet. Build a feature with `guardkit feature-build`.'
        : `Turns here: ${turns
            .slice(-20)
            .map(({ id }) => id)
            .join(', ')}.`,
  });
}

function severalTurns(found: readonly TimelineTurn[], name: string): GuardKitError {
  return new GuardKitError({
    code: 'turns.several',
    kind: 'input',
    message: `${name} is ambiguous: ${found
      .slice(0, 20)
      .map(({ id }) => id)
      .join(', ')}.`,
    hint: 'Use one of these names, or name the task: `guardkit turns diff TASK 1 2`.',
  });
}

export interface Moved<Value> {
  id: string;
  from: Value;
  to: Value;
}

export interface TurnComparison {
  criteria: Moved<string>[];
  gates: (Moved<string> & { reason: string })[];
  /** Test counts, coverage and score that differ. */
  figures: Moved<number | null>[];
  feedback: { from: string | null; to: string | null; same: boolean };
}

const FIGURES = ['tests_passed', 'tests_failed', 'coverage', 'arch_score'] as const;

/** The differences between two turns, in either order. */
export function compareTurns(from: TimelineTurn, to: TimelineTurn): TurnComparison {
  const before = from.turn.acceptance_criteria_status;
  const after = to.turn.acceptance_criteria_status;
  const results = new Map(from.gates.map(({ gate, result }) => [gate, result]));
  const later = new Map(to.gates.map((gate) => [gate.gate, gate]));
  return {
    criteria: names(Object.keys(before), Object.keys(after))
      .map((id) => ({ id, from: statusOf(before, id), to: statusOf(after, id) }))
      .filter(differs),
    gates: names([...results.keys()], [...later.keys()])
      .map((id) => ({
        id,
        from: results.get(id) ?? 'absent',
        to: later.get(id)?.result ?? 'absent',
        reason: later.get(id)?.reason ?? '',
      }))
      .filter(differs),
    figures: FIGURES.map((id) => ({ id, from: from.turn[id], to: to.turn[id] })).filter(differs),
    feedback: {
      from: from.turn.coach_feedback,
      to: to.turn.coach_feedback,
      same: isSameFeedback(from.turn.coach_feedback, to.turn.coach_feedback),
    },
  };
}

function names(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}

function differs({ from, to }: Moved<unknown>): boolean {
  return from !== to;
}
