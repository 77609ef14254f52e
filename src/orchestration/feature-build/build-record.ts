import type { ArchitectureEntry } from '../../architecture/history/architecture-entries.ts';
import { type TaskOutcome, taskOutcomeSchema } from '../../domain/entities/task-outcome.ts';
import { type TurnState, turnStateSchema } from '../../domain/entities/turn-state.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import type { LedgerEntry } from '../../store/ledger/chain/ledger-entry.ts';
import {
  type BuildBegan,
  type BuildEnded,
  type BuildInterrupted,
  buildBeganSchema,
  buildEndedSchema,
} from '../../store/ledger/kinds/sessions/builds.ts';
import { type TurnStep, turnStepSchema } from '../../store/ledger/kinds/sessions/turns.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { sumUsage, sumUsd, turnRecord } from '../turns/turn-record.ts';
import { stepUsages } from './step-usage.ts';

/** A finished step of a turn. */
export interface DoneStep {
  build: string;
  turn: number;
  step: TurnStep;
  data: JsonObject;
  at: string;
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'max_turns', 'escalated']);

/** Kinds of entries with a `feature_id`. */
const OF_A_FEATURE = [
  'build_began',
  'build_ended',
  'turn_step',
  'turn_recorded',
  'task_outcome_recorded',
  'feature_unblocked',
];

interface TaskRecord {
  turns: Map<number, TurnState>;
  steps: DoneStep[];
  outcome: TaskOutcome | undefined;
  /** The last turn before the task was last reset. */
  resetAfter: number;
  /** The last turn before the attempt began, or before a stop that a person resumed from. */
  stoppedAfter: number;
}

/**
 * The ledger's record of one feature's builds, read by key. It is read once, because only the process with the feature's
 * lock writes to it.
 */
export class BuildRecord {
  readonly featureId: string;
  readonly #ledger: Ledger;
  readonly #project: string;
  readonly #builds: BuildBegan[] = [];
  readonly #ends: BuildEnded[] = [];
  readonly #tasks = new Map<string, TaskRecord>();
  readonly #keptIn: 'ledger' | 'memory';
  readonly #forgiven = new Set<string>();

  /** With `memory`, additions stay in this object. */
  constructor(ledger: Ledger, project: string, featureId: string, keptIn: 'ledger' | 'memory' = 'ledger') {
    this.#keptIn = keptIn;
    this.#ledger = ledger;
    this.#project = project;
    this.featureId = featureId;
    for (const { kind, body, at } of entriesOf(ledger, project, featureId)) this.#take(kind, body, at);
  }

  /** Every attempt, oldest first. */
  get builds(): readonly BuildBegan[] {
    return this.#builds;
  }

  /** Failed attempts since a person last reset a task or unblocked the feature, oldest first. */
  get failedAttempts(): BuildEnded[] {
    const ends = this.#builds.flatMap(({ build_id }) => this.endOf(build_id) ?? []);
    return ends.filter(({ build_id, outcome }) => FAILED.has(outcome) && !this.#forgiven.has(build_id));
  }

  endOf(buildId: string): BuildEnded | undefined {
    return this.#ends.findLast(({ build_id }) => build_id === buildId);
  }

  /** All turns of a task by number, including unfinished ones and those before a reset. */
  turns(taskId: string): TurnState[] {
    return [...this.#task(taskId).turns.values()].sort((a, b) => a.turn_number - b.turn_number);
  }

  /** Ids of all recorded tasks. */
  get taskIds(): string[] {
    return [...this.#tasks.keys()];
  }

  /** The turns that began in one attempt. */
  turnsOf(buildId: string, taskId: string): TurnState[] {
    const began = this.steps(taskId).filter(({ step, build }) => step === 'began' && build === buildId);
    const numbers = new Set(began.map(({ turn }) => turn));
    return this.turns(taskId).filter(({ turn_number }) => numbers.has(turn_number));
  }

  /** The number of the last turn before the task was last reset; 0 if it never was. */
  resetAfter(taskId: string): number {
    return this.#task(taskId).resetAfter;
  }

  /** Turns that count towards an attempt's limits. A killed or cancelled build does not reset the count. */
  countedTurns(taskId: string): TurnState[] {
    const { stoppedAfter } = this.#task(taskId);
    return this.turns(taskId).filter(({ turn_number }) => turn_number > stoppedAfter);
  }

  /** The cost of those turns, of all tasks; for a cut-off turn, the cost of its finished steps. */
  get countedCosts(): number {
    const costOf = (turn: TurnState) =>
      turn.completed_at === null
        ? sumUsage(stepUsages(this.steps(turn.task_id).filter((step) => step.turn === turn.turn_number)))
        : turnRecord(turn);
    const turns = [...this.#tasks.keys()].flatMap((taskId) => this.countedTurns(taskId));
    return sumUsd(turns.map((turn) => costOf(turn).cost_usd ?? 0));
  }

  steps(taskId: string): readonly DoneStep[] {
    return this.#task(taskId).steps;
  }

  /** Whether any task has turns since its last reset. */
  get hasTurns(): boolean {
    return [...this.#tasks.values()].some(
      ({ turns, resetAfter }) => Math.max(0, ...turns.keys()) > resetAfter,
    );
  }

  /** The commit of a turn. */
  commitOf(taskId: string, turn: number): string | undefined {
    const done = this.steps(taskId).findLast((one) => one.step === 'committed' && one.turn === turn);
    return typeof done?.data.commit === 'string' ? done.data.commit : undefined;
  }

  outcome(taskId: string): TaskOutcome | undefined {
    return this.#task(taskId).outcome;
  }

  get hasApprovedTask(): boolean {
    return [...this.#tasks.values()].some(({ outcome }) => outcome?.outcome === 'approved');
  }

  begin(build: BuildBegan): void {
    this.#append({ kind: 'build_began', body: build });
  }

  end(end: BuildEnded): void {
    this.#append({ kind: 'build_ended', body: end });
  }

  interrupt(interrupted: BuildInterrupted): void {
    this.#append({ kind: 'build_interrupted', body: interrupted });
  }

  recordTurn(turn: TurnState): void {
    this.#append({ kind: 'turn_recorded', body: turn });
  }

  /** Records the first step and the state in one transaction, so that a turn number is never used twice. */
  beginTurn(build: string, turn: TurnState, data: JsonObject): void {
    const key = { build_id: build, feature_id: this.featureId, task_id: turn.task_id };
    const step = { ...key, turn_number: turn.turn_number, step: 'began', data };
    this.#append({ kind: 'turn_step', body: step }, { kind: 'turn_recorded', body: turn });
  }

  recordStep(build: string, taskId: string, turn: number, step: TurnStep, data: JsonObject): void {
    const key = { build_id: build, feature_id: this.featureId, task_id: taskId, turn_number: turn };
    this.#append({ kind: 'turn_step', body: { ...key, step, data } });
  }

  recordOutcome(outcome: TaskOutcome): void {
    this.#append({ kind: 'task_outcome_recorded', body: outcome });
  }

  recordArchitecture(entries: readonly ArchitectureEntry[]): void {
    if (entries.length > 0) this.#append(...entries);
  }

  #append(...entries: { kind: string; body: JsonObject }[]): void {
    if (this.#keptIn === 'ledger') this.#ledger.appendMany(this.#project, entries);
    for (const { kind, body } of entries) this.#take(kind, body, new Date().toISOString());
  }

  #take(kind: string, body: JsonObject, at: string): void {
    if (kind === 'task_reset') {
      const known = this.#tasks.has(String(body.task_id));
      const task = this.#task(String(body.task_id));
      if (known) this.#forgive();
      task.resetAfter = Math.max(0, ...task.turns.keys());
      task.outcome = undefined;
      return;
    }
    if (body.feature_id !== this.featureId) return;
    switch (kind) {
      case 'build_began':
        this.#builds.push(buildBeganSchema.parse(body));
        this.#stopCounting();
        break;
      case 'feature_unblocked':
        this.#forgive();
        break;
      case 'build_ended':
        this.#ends.push(buildEndedSchema.parse(body));
        if (body.outcome !== 'cancelled') this.#stopCounting();
        break;
      case 'turn_recorded': {
        const turn = turnStateSchema.parse(body);
        this.#task(turn.task_id).turns.set(turn.turn_number, turn);
        break;
      }
      case 'turn_step': {
        const { build_id, task_id, turn_number, step, data } = turnStepSchema.parse(body);
        this.#task(task_id).steps.push({ build: build_id, turn: turn_number, step, data, at });
        break;
      }
      case 'task_outcome_recorded': {
        const outcome = taskOutcomeSchema.parse(body);
        this.#task(outcome.task_id).outcome = outcome;
        break;
      }
      default:
        break;
    }
  }

  #task(taskId: string): TaskRecord {
    const known = this.#tasks.get(taskId) ?? {
      turns: new Map(),
      steps: [],
      outcome: undefined,
      resetAfter: 0,
      stoppedAfter: 0,
    };
    this.#tasks.set(taskId, known);
    return known;
  }

  #forgive(): void {
    for (const { build_id } of this.failedAttempts) this.#forgiven.add(build_id);
  }

  #stopCounting(): void {
    for (const task of this.#tasks.values()) {
      const ended = [...task.turns.values()].filter(({ completed_at }) => completed_at !== null);
      task.stoppedAfter = Math.max(0, ...ended.map(({ turn_number }) => turn_number));
    }
  }
}

/** The feature's entries in ledger order. Looked up by key: a project may have thousands of features. */
function entriesOf(ledger: Ledger, project: string, featureId: string): LedgerEntry[] {
  const own = OF_A_FEATURE.flatMap((kind) => [
    ...ledger.lookup(project, { kind, field: 'feature_id', value: featureId }),
  ]);
  const resets = ledger.entries(project, { kind: 'task_reset' });
  return [...own, ...resets].sort((a, b) => a.number - b.number);
}
