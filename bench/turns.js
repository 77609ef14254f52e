import { pick, random } from './random.js';
import { filePath, identifier, sentence } from './vocabulary.js';

const TURNS_PER_TASK = 4;
const TASKS_PER_FEATURE = 8;
const AREAS = ['AUTH', 'SYNC', 'PAY', 'SEARCH', 'MAIL', 'CART', 'ADMIN', 'EXPORT'];
const START = Date.parse('2025-01-01T08:00:00Z');

/** The body of the turn with this number; the same number always gives the same body. */
export function turnState(number) {
  const next = random(number + 1);
  const words = (least, most) => sentence(next, least + Math.floor(next() * (most - least)));
  const list = (most, make) => Array.from({ length: Math.floor(next() * (most + 1)) }, make);
  const { feature, task, turn } = turnKey(number);
  const approved = turn === TURNS_PER_TASK;
  return {
    feature_id: feature,
    task_id: task,
    turn_number: turn,
    mode: turn === 1 ? 'fresh_start' : 'continuing_work',
    player_summary: `Changed ${identifier(next)}: ${words(8, 24)}`,
    player_decision: next() < 0.1 ? 'failed' : 'implemented',
    files_modified: [filePath(next), ...list(4, () => filePath(next))],
    progress_summary: `${words(4, 14)} At commit ${Math.floor(next() * 2 ** 28)
      .toString(16)
      .padStart(7, '0')}.`,
    blockers_found: next() < 0.2 ? [words(5, 12)] : [],
    coach_decision: approved ? 'approved' : 'feedback',
    coach_feedback: approved ? null : `${identifier(next)} ${words(8, 30)}`,
    acceptance_criteria_status: Object.fromEntries(
      [1, 2, 3].map((one) => [
        `AC-00${one}`,
        approved ? 'verified' : pick(next, ['verified', 'in_progress', 'pending']),
      ]),
    ),
    tests_passed: Math.floor(next() * 80),
    tests_failed: approved ? 0 : Math.floor(next() * 5),
    coverage: Math.floor(next() * 1000) / 10,
    started_at: new Date(START + number * 600_000).toISOString(),
    completed_at: new Date(START + number * 600_000 + 300_000).toISOString(),
    lessons_from_turn: list(2, () => words(5, 14)),
    what_to_try_next: approved ? null : words(5, 14),
  };
}

/** The turn that every contestant gets: GuardKit uses the body, which it validates; the others use the text. */
export function turn(number) {
  const body = turnState(number);
  const { feature_id, task_id, turn_number, ...rest } = body;
  const lines = [
    `turn_state ${feature_id} ${task_id} turn ${turn_number}`,
    ...Object.entries(rest).map(
      ([field, value]) => `${field}: ${typeof value === 'object' ? JSON.stringify(value) : value}`,
    ),
  ];
  return { ...turnKey(number), body, text: lines.join('\n') };
}

export function turnKey(number) {
  const taskNumber = Math.floor(number / TURNS_PER_TASK);
  const featureNumber = Math.floor(taskNumber / TASKS_PER_FEATURE);
  const area = AREAS[featureNumber % AREAS.length];
  const feature = `FEAT-${area}-${featureNumber}`;
  const task = `TASK-${area}-${featureNumber}-${(taskNumber % TASKS_PER_FEATURE) + 1}`;
  const turn = (number % TURNS_PER_TASK) + 1;
  return { id: `TURN-${feature}-${task}-T${turn}`, feature, task, turn };
}

/** The last turn of some task that is complete within the first `count` turns. */
export function lastTurnOfSomeTask(next, count) {
  return Math.floor(next() * Math.floor(count / TURNS_PER_TASK)) * TURNS_PER_TASK + TURNS_PER_TASK - 1;
}
