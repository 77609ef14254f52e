/** What lasts too long for the usual run happens in full in a thorough one. */
export const THOROUGH = process.env.GUARDKIT_TESTS === 'all';
