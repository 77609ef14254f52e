/** How surely these words alone say that something was done wrong, and the words, as a pattern on folded text. */
export type Saying = readonly [weight: number, source: string];

/**
 * The words of one language by which a correction is told. Of several sayings of one kind the surest counts; kinds add up.
 * Patterns are written for folded text: lower case, no accents, no apostrophes; gaps in them are bounded.
 */
export interface LanguageWords {
  faults: {
    /** What the agent did, or left undone. */
    accusing: readonly Saying[];
    /** It is not what was asked for. */
    unasked: readonly Saying[];
    /** It is wrong, or does not work. */
    wrong: readonly Saying[];
    /** It is as bad as before, or was said before. */
    again: readonly Saying[];
    /** It is to be undone. */
    undo: readonly Saying[];
    /** How it should have been. */
    should: readonly Saying[];
    /** It is not to go on. */
    stop: readonly Saying[];
    /** A rule of the project that was broken. */
    rule: readonly Saying[];
    /** What was claimed is not so. */
    claim: readonly Saying[];
    /** Fault found with many words. */
    polite?: readonly Saying[];
    /** Praise that is none. */
    sarcasm: readonly Saying[];
  };
  /** A whole prompt that rejects, where nothing was asked. */
  bare: string;
  /** The person's own mind or mistake, or reasons that have nothing to do with the work. */
  own: string;
  /** Faults of others, or older than the work. */
  others: string;
  /** How a prompt begins that is content. */
  praise: string;
  /** How a prompt begins that goes on to something else. */
  further: string;
  /** Content with what was done. */
  content: string;
  /** Something more is wished for. */
  wish: string;
  /** Something is to be known. */
  asks: string;
}
