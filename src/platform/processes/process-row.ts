/** One process among all that ever had its number. */
export interface ProcessId {
  pid: number;
  /** In the system's own measure: larger is later. */
  started: number;
}

export interface ProcessRow extends ProcessId {
  parent: number;
  name: string;
  /** The terminal it belongs to; empty for none. */
  terminal: string;
}

/** What a reading of many processes, one after the other, has found. */
export interface ProcessLook {
  rows: readonly ProcessRow[];
  /** None has come, ended or changed its parent since the reading began, so that it found all. */
  holds(): boolean;
}

/** A moment, by which processes that came after it are found without looking at all of them. */
export interface ProcessMark {
  now: number;
  lastPid: number;
  forks: number;
}

/** Whatever they are called, which a process may change as it likes. */
export function areSame(some: readonly ProcessRow[], others: readonly ProcessRow[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ pid, started, parent }, index) => {
      const other = others[index];
      return other?.pid === pid && other.started === started && other.parent === parent;
    })
  );
}
