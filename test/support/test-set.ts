/** What lasts too long even for a thorough run: `npm run test:kills` and other commands for one subject each. */
export const LONG = process.env.GUARDKIT_TESTS === 'long';

/** What lasts too long for the usual run happens in a thorough one. */
export const THOROUGH = LONG || process.env.GUARDKIT_TESTS === 'all';
