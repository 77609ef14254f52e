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
