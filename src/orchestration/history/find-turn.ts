import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { TimelineTurn } from './task-timeline.ts';

const NUMBER = /^[Tt]?(\d{1,9})$/;
const SHORT = /^TURN-(.+)-(\d{1,9})$/;

/** The turn that a person means: `TURN-FEAT-TASK-T2`, `TURN-FEAT-2`, or `T2` or `2` among the turns of one task. */
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
    message: `There is no turn ${name.slice(0, 200)}.${didYouMean(near)}`,
    hint:
      turns.length === 0
        ? 'Nothing was built in this project yet: `guardkit feature-build` does it.'
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
    message: `${name} may be any of ${found
      .slice(0, 20)
      .map(({ id }) => id)
      .join(', ')}.`,
    hint: 'Name one of these, or the task: `guardkit turns diff TASK 1 2`.',
  });
}
