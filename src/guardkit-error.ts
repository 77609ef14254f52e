/** `refused`: GuardKit said no; `input`: wrong use; `outside`: a failing disk, server or program. */
export type ErrorKind = 'refused' | 'input' | 'outside';

const EXIT_CODES = { refused: 1, input: 2, outside: 3 } as const satisfies Record<ErrorKind, number>;

export interface ErrorDetails {
  code: string;
  kind: ErrorKind;
  /** What failed, with the value. */
  message: string;
  /** What to do about it. */
  hint: string;
  /** The individual faults, for programs. */
  faults?: readonly object[];
  cause?: unknown;
}

/** For every failure that a person may have to act on. Any other thrown error is a bug. */
export class GuardKitError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly hint: string;
  readonly faults: readonly object[] | undefined;

  constructor({ code, kind, message, hint, faults, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'GuardKitError';
    this.code = code;
    this.kind = kind;
    this.hint = hint;
    this.faults = faults;
  }

  get exitCode(): number {
    return EXIT_CODES[this.kind];
  }
}
