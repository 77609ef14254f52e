import type { Actor } from '../../guards/action.ts';

/** Who changed the list. */
export type ChangeActor =
  /** An agent, in an action of its own; or unknown, where a person and a process of an agent may both have done it. */
  | { inWindow: true; actor: Actor; action: string | null; unknown?: true }
  /** A person, or git for a person. */
  | { inWindow: false };
