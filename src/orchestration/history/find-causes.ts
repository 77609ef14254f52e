import { isSameFeedback } from '../turns/decide-stop.ts';
import { type TimelineTurn, unmetGates } from './task-timeline.ts';

/** Why a task took more than one turn. */
export interface Causes {
  /** Feedback given in more than one turn, with its last wording. */
  repeated: { feedback: string; turns: number[] }[];
  /** Criteria that were verified and later lost. */
  movedBack: { criterion: string; verifiedIn: number; lostIn: number; why: string }[];
  /** Criteria that cannot be met as written. */
  blocked: string[];
  blockers: { text: string; turns: number[] }[];
  /** Approvals that lacked evidence. */
  overridden: { turn: number; because: string[] }[];
  /** Required gates that did not pass, the most frequent first, with the last reason. */
  gates: { gate: string; turns: number[]; reason: string }[];
  /** False claims in the Player's reports. */
  dishonest: { turn: number; claims: string[] }[];
  /** Turns in which the Player gave no report. */
  silent: number[];
  /** Turns with work on which the Coach gave no verdict. */
  unjudged: number[];
  cutOff: number[];
}

export function findCauses(turns: readonly TimelineTurn[]): Causes {
  const last = turns.at(-1);
  return {
    repeated: repeatedFeedback(turns),
    movedBack: movedBack(turns),
    blocked: (last?.criteria ?? []).filter(({ status }) => status === 'blocked').map(({ id }) => id),
    blockers: grouped(
      turns.filter(({ turn }) => !isSilent(turn)),
      ({ turn }) => turn.blockers_found.map((text) => [text, text]),
    ).map(({ key, numbers }) => ({ text: key, turns: numbers })),
    overridden: turns
      .filter(({ coachSaid, turn }) => coachSaid === 'approved' && turn.coach_decision !== 'approved')
      .map(({ turn, record }) => ({ turn: turn.turn_number, because: record.overridden_because })),
    gates: grouped(turns, (one) => unmetGates(one).map(({ gate, reason }) => [gate, reason]))
      .map(({ key, numbers, last: reason }) => ({ gate: key, turns: numbers, reason }))
      .sort((a, b) => b.turns.length - a.turns.length),
    dishonest: turns
      .filter(({ record }) => record.honesty.length > 0)
      .map(({ turn, record }) => ({ turn: turn.turn_number, claims: record.honesty })),
    silent: turns.filter(({ turn }) => isSilent(turn)).map(({ turn }) => turn.turn_number),
    unjudged: turns
      .filter(({ turn, record }) => turn.coach_decision === null && record.verification !== null)
      .map(({ turn }) => turn.turn_number),
    cutOff: turns.filter(({ cutOff }) => cutOff).map(({ turn }) => turn.turn_number),
  };
}

/** The Player ran but gave no usable report. */
function isSilent({ player_decision, coach_decision, quality_gate_results }: TimelineTurn['turn']): boolean {
  return (
    player_decision === 'failed' &&
    coach_decision === null &&
    (quality_gate_results?.verification ?? null) === null
  );
}

function repeatedFeedback(turns: readonly TimelineTurn[]): Causes['repeated'] {
  const groups: { feedback: string; turns: number[] }[] = [];
  for (const { turn } of turns) {
    const feedback = turn.coach_decision === 'approved' ? null : turn.coach_feedback;
    if (feedback === null) continue;
    const known = groups.find((group) => isSameFeedback(group.feedback, feedback));
    if (known) {
      known.feedback = feedback;
      known.turns.push(turn.turn_number);
    } else groups.push({ feedback, turns: [turn.turn_number] });
  }
  return groups.filter((group) => group.turns.length > 1).sort((a, b) => b.turns.length - a.turns.length);
}

function movedBack(turns: readonly TimelineTurn[]): Causes['movedBack'] {
  const verifiedIn = new Map<string, number>();
  const found: Causes['movedBack'] = [];
  for (const { turn, criteria, record } of turns) {
    for (const { id, status } of criteria) {
      const before = verifiedIn.get(id);
      if (status === 'verified') verifiedIn.set(id, before ?? turn.turn_number);
      else if (before !== undefined) {
        verifiedIn.delete(id);
        const said = record.regressions.find((text) => text.startsWith(`${id}: `));
        const why = said?.slice(id.length + 2) ?? '';
        found.push({ criterion: id, verifiedIn: before, lostIn: turn.turn_number, why });
      }
    }
  }
  return found;
}

/** Groups keys over turns, in order of first occurrence, with the last text for each. */
function grouped(
  turns: readonly TimelineTurn[],
  of: (turn: TimelineTurn) => string[][],
): { key: string; numbers: number[]; last: string }[] {
  const groups = new Map<string, { key: string; numbers: number[]; last: string }>();
  for (const one of turns) {
    for (const [key = '', text = ''] of of(one)) {
      const group = groups.get(key) ?? { key, numbers: [], last: '' };
      group.numbers.push(one.turn.turn_number);
      group.last = text;
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}
