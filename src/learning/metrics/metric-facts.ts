/** Something at a time, in milliseconds since 1970. */
export interface Moment {
  at: number;
}

/** What the metrics are worked out from, as the ledger has it. */
export interface MetricFacts {
  /** An agent said that something is done which was not: refused, put back, or overruled. */
  premature: readonly (Moment & { stopped: boolean })[];
  /** Prompts of persons. */
  prompts: readonly Moment[];
  /** Features that came to be tested or were merged, each when it last was. */
  finished: readonly (Moment & { feature: string })[];
  /** How many tokens agents were given as a prompt, about. */
  promptSizes: readonly (Moment & { tokens: number })[];
  /** Lines of the files that describe the project's own agents. */
  agentFiles: readonly { file: string; lines: number }[];
  /** Mistakes on a day, and how many of them were made for the first time. */
  mistakes: readonly (Moment & { times: number; first: number })[];
  /** Recorded actions of a day, and how many were refused or warned of. */
  actions: readonly (Moment & { all: number; refused: number; warned: number })[];
}
