/** Says that the outbox brought an episode: it is what GuardKit recorded. */
export const LEDGER_SOURCE = 'ledger';

/** A person at a terminal wrote it. */
export const PERSON_SOURCE = 'person';

/** Anything else that runs commands wrote it, an agent included. */
export const PROGRAM_SOURCE = 'program';

/** Whoever reads memory believes these more than a program, so that a program may not claim them. */
const BELIEVED: ReadonlySet<string> = new Set([LEDGER_SOURCE, PERSON_SOURCE, 'guardkit', 'system_seeding']);

export function isBelievedSource(source: string): boolean {
  return BELIEVED.has(source);
}
