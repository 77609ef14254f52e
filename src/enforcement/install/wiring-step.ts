/** A file that is to be changed, or that is right already. */
export interface WiringStep {
  /** As people are shown it. */
  path: string;
  /** Absolute; the target of a link. */
  target: string;
  action: 'create' | 'change' | 'remove' | 'keep';
  perform(): void;
}
