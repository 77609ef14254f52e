import type { Feature } from '../domain/entities/feature.ts';
import type { RequiredEvidence } from '../domain/protection/guard-mode.ts';

/** A person's word that a guard may be passed. */
export interface Waiver {
  id: string;
  guard: string;
  /** ISO; undefined for one that counts uses. */
  until: string | undefined;
  /** How often it may still be used; undefined for one that counts time. */
  uses: number | undefined;
  reason: string;
}

/** What guards may know of the world; gathered before they are asked. */
export interface GuardFacts {
  now: string;
  /** Real path of the project's folder. */
  root: string;
  /** Real path of the data folder. */
  dataFolder: string;
  /** Of the session: one that GuardKit drives, through a run or `/guardkit-run`. */
  driven: boolean;
  /** Somebody can be asked: the agent has a permission prompt with a person behind it. */
  canAsk: boolean;
  /** The agent's commands run in the kernel wrapper, which refuses writes that no analysis of their text can see. */
  wrapped: boolean;
  waivers: readonly Waiver[];
  /** The features as GuardKit has them; asked for only by guards that need them. */
  features(): readonly Feature[];
  /** Whether GuardKit has seen this on the files as they are now; asked for only by guards that require it. */
  evidence(of: RequiredEvidence): 'pass' | 'fail' | 'absent';
}
