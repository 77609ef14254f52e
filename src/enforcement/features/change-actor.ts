import type { Actor } from '../../guards/action.ts';

/** Whose doing a change of the list is. */
export type ListDoer =
  /** An agent's, in an action of its own. */
  | { inWindow: true; actor: Actor; action: string | null }
  /** A person's, or git's for a person. */
  | { inWindow: false };
