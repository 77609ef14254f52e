import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import type { ParsedFeature } from './feature-file.ts';
import type { ParsedTask } from './task-file.ts';
import { isNamedFor } from './work.ts';

export interface ReadTask extends ParsedTask {
  path: string;
}

export interface ReadFeature extends ParsedFeature {
  path: string;
}

const MAX_HINTS = 50;

/** The existing ids. A file with faults counts too: references to it are not faults. */
export class KnownIds {
  readonly ids: ReadonlySet<string>;
  readonly #broken: readonly string[];
  #hints = 0;

  constructor(ids: readonly string[], broken: readonly string[]) {
    this.ids = new Set(ids);
    this.#broken = broken;
  }

  has(id: string): boolean {
    return this.ids.has(id) || this.#broken.some((path) => isNamedFor(path, id));
  }

  hint(id: string, otherwise: string): string {
    // Comparing thousands of ids with thousands would take minutes.
    if (this.#hints >= MAX_HINTS) return otherwise;
    this.#hints++;
    const near = nearestWord(id, [...this.ids]);
    return didYouMean(near, '') || otherwise;
  }
}

export function knownTasks(tasks: readonly ReadTask[]): KnownIds {
  return new KnownIds(
    tasks.flatMap(({ task }) => task?.id ?? []),
    tasks.flatMap(({ task, path }) => (task ? [] : path)),
  );
}

/** Features with a file, features that tasks name, and tasks without a feature. */
export function knownFeatures(tasks: readonly ReadTask[], features: readonly ReadFeature[]): KnownIds {
  return new KnownIds(
    [
      ...features.flatMap(({ feature }) => feature?.id ?? []),
      ...tasks.flatMap(({ task }) => task?.feature_id ?? task?.id ?? []),
    ],
    features.flatMap(({ feature, path }) => (feature ? [] : path)),
  );
}
