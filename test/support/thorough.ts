import { it } from 'vitest';

/** What lasts too long even for a thorough run: `npm run test:kills` and other commands for one subject each. */
export const LONG = process.env.GUARDKIT_TESTS === 'long';

/** What lasts too long for the usual run happens in a thorough one. */
export const THOROUGH = LONG || process.env.GUARDKIT_TESTS === 'all';

/** A further case of what another test covers: only in a thorough run. */
export const further = it.runIf(THOROUGH);

/** The rows of a table: all in a thorough run, otherwise the first few. */
export function rows<Row>(usually: number, all: readonly Row[]): readonly Row[] {
  return THOROUGH ? all : all.slice(0, usually);
}

/** A sample of a table: all rows in a thorough run, otherwise every nth. */
export function sample<Row>(every: number, all: readonly Row[]): readonly Row[] {
  return THOROUGH ? all : all.filter((_, index) => index % every === 0);
}

/** A table of which a thorough run tries every nth row, and `npm run test:…` all. */
export function longSample<Row>(every: number, all: readonly Row[]): readonly Row[] {
  return LONG ? all : all.filter((_, index) => index % every === 0);
}

/** Of versions in order; `npm run test:runners` tries those in between too. */
export function oldestAndNewest<Version>(versions: readonly Version[]): readonly Version[] {
  return LONG ? versions : versions.filter((_, index) => index === 0 || index === versions.length - 1);
}

/** How many examples by chance: the usual run comes often, and has others every time. */
export function runs(inFull: number): number {
  return THOROUGH ? inFull : Math.ceil(inFull / 10);
}
