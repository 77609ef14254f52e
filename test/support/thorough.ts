/** What lasts too long for the usual run happens in full in a thorough one. */
export const THOROUGH = process.env.GUARDKIT_TESTS === 'all';

/** How many examples by chance: the usual run comes often, and has others every time. */
export function runs(inFull: number): number {
  return THOROUGH ? inFull : Math.ceil(inFull / 3);
}
