export interface TestLoss {
  type:
    | 'file-deleted'
    | 'removed'
    | 'skipped'
    | 'emptied'
    | 'only'
    | 'replaced'
    | 'unreadable'
    | 'moved'
    | 'renamed'
    | 'weakened'
    | 'conditional'
    | 'parameterised';
  /** `fail` is a loss, `warn` is shown, `accepted` is a loss that a person said is meant. */
  severity: 'fail' | 'warn' | 'accepted';
  file: string;
  /** Null if it is about the file as a whole. */
  name: string | null;
  words: string;
}

export function loss(
  type: TestLoss['type'],
  severity: TestLoss['severity'],
  file: string,
  name: string | null,
  words: string,
): TestLoss {
  return { type, severity, file, name, words };
}
