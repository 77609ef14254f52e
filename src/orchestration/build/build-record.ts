import type { JsonObject } from '../../domain/json.ts';
import { type TaskOutcome, taskOutcomeSchema } from '../../domain/task-outcome.ts';
import { type TurnState, turnStateSchema } from '../../domain/turn-state.ts';
import { type BuildBegan, buildBeganSchema } from '../../store/ledger/kinds/build-began.ts';
import { type BuildEnded, buildEndedSchema } from '../../store/ledger/kinds/build-ended.ts';
import { type TurnStep, turnStepSchema } from '../../store/ledger/kinds/turn-step.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** A step that a turn has behind it. */
export interface DoneStep {
  build: string;
  turn: number;
  step: TurnStep;
  data: JsonObject;
  at: string;
}

interface TaskRecord {
  turns: Map<number, TurnState>;
  steps: DoneStep[];
  outcome: TaskOutcome | undefined;
  /** The last turn before the task was last reset. */
  resetAfter: number;
}

/**
 * What the ledger knows of the builds of one feature: read exactly, by key, never searched for. It is read once, since
 * only the process that holds the feature's lock writes to it.
 */
export class BuildRecord {
  readonly featureId: string;
  readonly #ledger: Ledger;
  readonly #project: string;
  readonly #builds: BuildBegan[] = [];
  readonly #ends: BuildEnded[] = [];
  readonly #tasks = new Map<string, TaskRecord>();

  constructor(ledger: Ledger, project: string, featureId: string) {
    this.#ledger = ledger;
    this.#project = project;
    this.featureId = featureId;
    for (const { kind, body, at } of ledger.entries(project)) this.#take(kind, body, at);
  }

  /** Every attempt, oldest first. */
  get builds(): readonly BuildBegan[] {
    return this.#builds;
  }

  endOf(buildId: string): BuildEnded | undefined {
    return this.#ends.findLast(({ build_id }) => build_id === buildId);
  }

  /** All turns of a task as far as they got, by number; those before a reset too. */
  turns(taskId: string): TurnState[] {
    return [...this.#task(taskId).turns.values()].sort((a, b) => a.turn_number - b.turn_number);
  }

  /** The number of the last turn before the task was last reset; 0 if it never was. */
  resetAfter(taskId: string): number {
    return this.#task(taskId).resetAfter;
  }

  steps(taskId: string): readonly DoneStep[] {
    return this.#task(taskId).steps;
  }

  outcome(taskId: string): TaskOutcome | undefined {
    return this.#task(taskId).outcome;
  }

  begin(build: BuildBegan): void {
    this.#append('build_began', build);
  }

  end(end: BuildEnded): void {
    this.#append('build_ended', end);
  }

  recordTurn(turn: TurnState): void {
    this.#append('turn_recorded', turn);
  }

  recordStep(build: string, taskId: string, turn: number, step: TurnStep, data: JsonObject): void {
    const place = { build_id: build, feature_id: this.featureId, task_id: taskId, turn_number: turn };
    this.#append('turn_step', { ...place, step, data });
  }

  recordOutcome(outcome: TaskOutcome): void {
    this.#append('task_outcome_recorded', outcome);
  }

  #append(kind: string, body: JsonObject): void {
    this.#ledger.append(this.#project, kind, body);
    this.#take(kind, body, new Date().toISOString());
  }

  #take(kind: string, body: JsonObject, at: string): void {
    if (kind === 'task_reset') {
      const task = this.#task(String(body.task_id));
      task.resetAfter = Math.max(0, ...task.turns.keys());
      task.outcome = undefined;
      return;
    }
    if (body.feature_id !== this.featureId) return;
    switch (kind) {
      case 'build_began':
        this.#builds.push(buildBeganSchema.parse(body));
        break;
      case 'build_ended':
        this.#ends.push(buildEndedSchema.parse(body));
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
    };
    this.#tasks.set(taskId, known);
    return known;
  }
}
