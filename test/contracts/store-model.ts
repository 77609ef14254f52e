import fc from 'fast-check';

const DAY = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00Z');

export function dayTime(number: number): string {
  return new Date(START + number * DAY).toISOString();
}

export const LABELS = ['alpha', 'beta', 'gamma'] as const;
export const ENTITIES = ['T-1', 'T-2', 'T-3'] as const;

export type Step =
  /** `since`: for how many days it has been true; default: from the time of writing. */
  | { type: 'upsert'; entity: string; label: string; since?: number; wait: number }
  | { type: 'delete'; entity: string; wait: number };

const wait = fc.constantFrom(0, 0, 1, 2);
const entity = fc.constantFrom(...ENTITIES);
const upsert = fc.record({
  type: fc.constant('upsert' as const),
  entity,
  label: fc.constantFrom(...LABELS),
  since: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined, freq: 1 }),
  wait,
});
const remove = fc.record({ type: fc.constant('delete' as const), entity, wait });

export const anySteps: fc.Arbitrary<Step[]> = fc.array<Step>(
  fc.oneof({ weight: 4, arbitrary: upsert }, { weight: 1, arbitrary: remove }),
  { minLength: 1, maxLength: 12 },
);

/** A statement about an entity: from a day on it has this label, or has ended. */
interface Statement {
  entity: string;
  label: string | undefined;
  from: number;
  saidOn: number;
}

/**
 * A temporal store in its simplest form: a list of statements. At a moment, the last statement applies that was made
 * by then (`knownOn`) about it (`validOn`); without `validOn`, the last one made.
 */
export class StoreModel {
  today = 0;
  readonly #statements: Statement[] = [];

  /** The answer expected from the store. */
  apply(step: Step): 'created' | 'updated' | 'unchanged' | boolean {
    this.today += step.wait;
    const current = this.labelOf(step.entity);
    if (step.type === 'delete') {
      if (current !== undefined) this.#say(step.entity, undefined, this.today);
      return current !== undefined;
    }
    if (current === step.label) return 'unchanged';
    this.#say(step.entity, step.label, this.today - (step.since ?? 0));
    return current === undefined ? 'created' : 'updated';
  }

  labelOf(entity: string, { validOn = Infinity, knownOn = Infinity } = {}): string | undefined {
    const last = this.#statements.findLast(
      (statement) => statement.entity === entity && statement.saidOn <= knownOn && statement.from <= validOn,
    );
    return last?.label;
  }

  /** The entities at a moment, with their labels. */
  view(moment: { validOn?: number; knownOn?: number } = {}): Record<string, string> {
    const view: Record<string, string> = {};
    for (const entity of ENTITIES) {
      const label = this.labelOf(entity, moment);
      if (label !== undefined) view[entity] = label;
    }
    return view;
  }

  /** All labels of an entity, oldest first. */
  history(entity: string): string[] {
    return this.#statements.flatMap((statement) =>
      statement.entity === entity && statement.label !== undefined ? [statement.label] : [],
    );
  }

  #say(entity: string, label: string | undefined, from: number): void {
    this.#statements.push({ entity, label, from, saidOn: this.today });
  }
}
