/** Identifies a process even if its pid is reused. */
export interface ProcessId {
  pid: number;
  /** In the system's unit; larger is later. */
  started: number;
}

export interface ProcessRow extends ProcessId {
  parent: number;
  name: string;
  /** The terminal it belongs to; empty for none. */
  terminal: string;
}

/** The result of reading many processes one by one. */
export interface ProcessLook {
  rows: readonly ProcessRow[];
  /** Whether no process started, ended or changed its parent during the reading, so it is complete. */
  holds(): boolean;
}

/** A point in time, to find later processes without reading all of them. */
export interface ProcessMark {
  now: number;
  lastPid: number;
  forks: number;
}

/** Ignores names, which a process can change. */
export function areSame(some: readonly ProcessRow[], others: readonly ProcessRow[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ pid, started, parent }, index) => {
      const other = others[index];
      return other?.pid === pid && other.started === started && other.parent === parent;
    })
  );
}
