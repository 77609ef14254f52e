import { it } from 'vitest';
import { LONG, THOROUGH } from './test-set.ts';

export { LONG, THOROUGH };

/** A further case of what another test covers: only in a thorough run. */
export const further = it.runIf(THOROUGH);

/** The rows of a table: all in a thorough run, otherwise the first few. */
export function rows<Row>(usually: number, all: readonly Row[]): readonly Row[] {
  return THOROUGH ? all : all.slice(0, usually);
}

/** A sample of a table: all rows in a thorough run, otherwise every nth. */
export function sample<Row>(every: number, all: readonly Row[]): readonly Row[] {
  return THOROUGH ? all : everyNth(every, all);
}

/** A table of which a thorough run tries every nth row, and `npm run test:…` all. */
export function longSample<Row>(every: number, all: readonly Row[]): readonly Row[] {
  return LONG ? all : everyNth(every, all);
}

/** Of versions in order; `npm run test:runners` tries those in between too. */
export function oldestAndNewest<Version>(versions: readonly Version[]): readonly Version[] {
  return LONG ? versions : versions.filter((_, index) => index === 0 || index === versions.length - 1);
}

/** How many examples by chance: the usual run comes often, and has others every time. */
export function runs(inFull: number): number {
  return THOROUGH ? inFull : Math.ceil(inFull / 10);
}

function everyNth<Row>(every: number, all: readonly Row[]): Row[] {
  return all.filter((_, index) => index % every === 0);
}
