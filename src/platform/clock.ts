/** Milliseconds since 1970; a parameter wherever time decides something, so that tests can set it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
