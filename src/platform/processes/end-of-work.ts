/**
 * Tells a worker thread to close its database and to end by itself. To end a thread from outside while its database is
 * open is not safe.
 */
export const END_OF_WORK = 'end';
