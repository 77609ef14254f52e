/** The second attempt that fails blocks the feature. */
export const MAX_ATTEMPTS = 2;
